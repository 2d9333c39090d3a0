import pg from 'pg'
import { sessionSettings } from './db.ts'

const connectMs = 10_000
const lock = 7_310_016

/**
 * A pooler in transaction mode hands the connections of the server from one client to the next, so no setting can be made
 * when a client begins: what all calls go by is set on the role, for this database. Past the pooler, and before the first
 * connection through it.
 */
export async function setRoleDefaults(
  pooledUrl: string,
  directUrl: string,
  statementMs: number,
  own: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { user, database } = new pg.Client({ connectionString: pooledUrl })
  const wanted: Record<string, string> = {
    ...sessionSettings,
    ...own,
    statement_timeout: String(statementMs),
  }
  const direct = new pg.Client({ connectionString: directUrl, connectionTimeoutMillis: connectMs })
  direct.on('error', () => {})
  await direct.connect()
  try {
    // Two that set a role at once would fail; what is set by the one is found by the other.
    await direct.query('begin')
    await direct.query('select pg_advisory_xact_lock($1)', [lock])
    const { rows } = await direct.query<{ config: string[] }>(
      `select s.setconfig as config from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase
        join pg_roles r on r.oid = s.setrole where d.datname = $1 and r.rolname = $2`,
      [database, user],
    )
    const there = new Set(rows.flatMap(({ config }) => config))
    const missing = Object.entries(wanted).filter(([name, value]) => !there.has(`${name}=${value}`))
    const role = direct.escapeIdentifier(user!)
    for (const [name, value] of missing)
      await direct.query(
        `alter role ${role} in database ${direct.escapeIdentifier(database!)} set ${name} = ${direct.escapeLiteral(value)}`,
      )
    await direct.query('commit')
    if (missing.length > 0) await checkSettings(pooledUrl, wanted)
    await direct.query('begin')
    await direct.query('select pg_advisory_xact_lock($1)', [lock])
    await checkPooler(pooledUrl)
    await direct.query('commit')
  } catch (error) {
    if ((error as { code?: string }).code !== '42501') throw error
    throw new Error(
      `The role ${user} of DATABASE_URL lacks settings that are made past the pooler, and DATABASE_DIRECT_URL may not make ` +
        `them: let both name the same role, or have an administrator set for it in ${database}: ` +
        `${Object.entries(wanted)
          .map(([name, value]) => `${name} = '${value}'`)
          .join(', ')}.`,
      { cause: error },
    )
  } finally {
    await direct.end()
  }
}

/** While the lock is held past it: that it leads to the same database, and keeps prepared statements apart. */
async function checkPooler(pooledUrl: string): Promise<void> {
  const tryLock = 'select pg_try_advisory_xact_lock($1) as free'
  const { rows } = await through(pooledUrl, (pooled) => pooled.query<{ free: boolean }>(tryLock, [lock]))
  if (rows[0]!.free)
    throw new Error(
      'DATABASE_URL and DATABASE_DIRECT_URL name different databases: let both name the same one.',
    )
  // The second may not meet what the first has left behind.
  for (const text of ['select 1 as one', 'select 2 as two'])
    await through(pooledUrl, (pooled) => pooled.query({ name: 'sunstead-pooler', text })).catch((error) => {
      if ((error as { code?: string }).code !== '42P05') throw error
      throw new Error(
        'The pooler of DATABASE_URL does not keep the prepared statements of its clients apart: set max_prepared_statements ' +
          '(PgBouncer 1.21 or newer) to 1000 or more, and restart it.',
      )
    })
}

/** What the pooler opened before has not heard of it. */
async function checkSettings(pooledUrl: string, wanted: Record<string, string>): Promise<void> {
  const { rows } = await through(pooledUrl, (pooled) =>
    pooled.query<{ zone: string; plans: string }>(
      `select current_setting('timezone') as zone, current_setting('plan_cache_mode') as plans`,
    ),
  )
  const { zone, plans } = rows[0]!
  if (zone === wanted.timezone && plans === wanted.plan_cache_mode) return
  throw new Error(
    'The pooler of DATABASE_URL holds connections from before its settings were made. Run RECONNECT on its console, or ' +
      'restart it, then start again.',
  )
}

async function through<T>(pooledUrl: string, work: (pooled: pg.Client) => Promise<T>): Promise<T> {
  const pooled = new pg.Client({ connectionString: pooledUrl, connectionTimeoutMillis: connectMs })
  pooled.on('error', () => {})
  await pooled.connect()
  try {
    return await work(pooled)
  } finally {
    await pooled.end()
  }
}
