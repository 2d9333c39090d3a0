import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { beSequential, distribute, distributeNew, hasCitus, isDistributed } from './citus/distribute.ts'
import type { Db, Statement } from './db.ts'
import { isConcurrent, makesTable, notConcurrent, type Step, stepsOf } from './migration-text.ts'
import { root } from './root.ts'
import { shortageOf } from './shortage.ts'
import { version } from './version.ts'

const migrationsFolder = join(root, 'migrations')
const lock = 7_310_001
/** A large table may take its time; a call's limit would make an upgrade impossible. */
const statementMs = 3_600_000
const connectMs = 10_000
const lockNotAvailable = '55P03'

export interface Migration {
  name: string
  text: string
  /** Of its text, however its lines end. */
  checksum: string
}

/** How the database and this version's migrations differ. */
export interface Difference {
  pending: string[]
  /** There, but unknown to this version: the database is newer. */
  unknown: string[]
  /** Not what they were when they were applied. */
  changed: string[]
}

interface Applied {
  name: string
  checksum: string
}

/** This version's migrations, in order. */
export async function readMigrations(folder = migrationsFolder): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const text = (await readFile(join(folder, name), 'utf8')).replaceAll('\r\n', '\n')
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

/**
 * Applies what is missing, in order, on a connection of its own; several processes may start at once. One transaction each,
 * but for those that make indexes beside writers. Refuses a database that is newer, or that was made by other migrations of the same names.
 */
export async function migrate(
  url: string,
  { folder = migrationsFolder, note = () => {} }: { folder?: string; note?: (message: string) => void } = {},
): Promise<string[]> {
  const all = await readMigrations(folder)
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectMs,
    options: `-c timezone=UTC -c statement_timeout=${statementMs} -c client_min_messages=warning`,
    keepAlive: true,
    application_name: 'sunstead-migrations',
  })
  // It shows in the statement that fails; an 'error' without a listener would end the process.
  client.on('error', () => {})
  await client.connect()
  try {
    return await migrateOn(client, all, note)
  } finally {
    await client.end()
  }
}

const makeTable = `create table if not exists migrations (
    name text primary key, applied_at timestamptz not null default now(), checksum text not null)`

async function migrateOn(
  client: pg.Client,
  all: Migration[],
  note: (message: string) => void,
): Promise<string[]> {
  const { rows } = await client.query<{ version: number }>(
    `select current_setting('server_version_num')::int as version`,
  )
  if (rows[0]!.version < 150000) throw new Error('PostgreSQL 15 or newer is needed')
  await takeLock(client, note)
  await client.query(makeTable)
  const found = await client.query<Applied>('select name, checksum from migrations order by name')
  const difference = compare(all, found.rows)
  refuse(difference)
  const pending = all.filter(({ name }) => difference.pending.includes(name))
  const onCitus = await hasCitus(client)
  const isSpread = onCitus && (await isDistributed(client))
  for (const migration of pending) {
    const steps = stepsOf(migration.text)
    if (isConcurrent(steps)) await applyBeside(client, migration, steps)
    else await applyInTurn(migration, note, () => applyWithin(client, migration, steps, isSpread))
  }
  if (onCitus) await distribute(client, note)
  return difference.pending
}

/** Applies these, or all that are missing, as part of the transaction that is open on the connection. */
export async function migrateWithin(client: pg.Client, only?: readonly string[]): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1)', [lock])
  await client.query(makeTable)
  const { rows } = await client.query<Applied>('select name from migrations')
  const there = new Set(rows.map(({ name }) => name))
  for (const { name, text, checksum } of await readMigrations()) {
    if (there.has(name) || (only && !only.includes(name))) continue
    for (const step of stepsOf(text)) await client.query(notConcurrent(step).text)
    await client.query(noteApplied, [name, checksum])
  }
}

const noteApplied = 'insert into migrations (name, checksum) values ($1, $2)'

/** Held until the connection ends. */
async function takeLock(client: pg.Client, note: (message: string) => void): Promise<void> {
  const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [lock])
  if (rows[0]!.mine) return
  note('another process migrates the database; waiting for it')
  await client.query('select pg_advisory_lock($1)', [lock])
}

/** So long calls wait for a table that a migration waits for; so long they go on before it is tried again. */
const lockMs = 1_000
const pauseMs = 2_000

/**
 * Whoever holds a table by a transaction that is left open would keep the migration waiting, and it all calls on that table
 * and on those that it has: it lets go of them soon, and tries again.
 */
async function applyInTurn(
  { name }: Migration,
  note: (message: string) => void,
  apply: () => Promise<void>,
): Promise<void> {
  const giveUpAt = performance.now() + statementMs
  for (let tries = 1; ; tries++) {
    try {
      return await apply()
    } catch (error) {
      const isHeld = ((error as Error).cause as pg.DatabaseError | undefined)?.code === lockNotAvailable
      if (!isHeld || performance.now() > giveUpAt) throw error
      if (tries === 1)
        note(`the migration ${name} waits for a transaction that is open on a table of its own`)
      await setTimeout(pauseMs)
    }
  }
}

async function applyWithin(
  client: pg.Client,
  { name, checksum }: Migration,
  steps: readonly Step[],
  /** Whether tables are spread over nodes: a new one is before anything points to it. */
  isSpread: boolean,
): Promise<void> {
  try {
    await client.query('begin')
    if (isSpread) {
      await beSequential(client)
      // The nodes wait as long.
      await client.query(`set local citus.propagate_set_commands to 'local'`)
    }
    await client.query(`set local lock_timeout = ${lockMs}`)
    for (const step of steps) {
      await run(client, name, step)
      if (isSpread && makesTable(step)) await distributeNew(client)
    }
    await client.query(noteApplied, [name, checksum])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    const why = error instanceof StepFailed ? error : new StepFailed(name, '', error as pg.DatabaseError)
    throw new Error(`${why.message} Nothing of it was applied, and those before it were.`, {
      cause: why.cause,
    })
  }
}

/** Each by itself: what was made stays, and what was begun is begun again. */
async function applyBeside(
  client: pg.Client,
  { name, text, checksum }: Migration,
  steps: readonly Step[],
): Promise<void> {
  try {
    for (const index of await brokenIndexes(client, text))
      await client.query(`drop index concurrently ${index}`)
    for (const step of steps) await run(client, name, step)
    await client.query(noteApplied, [name, checksum])
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error
    throw new Error(`${error.message} Start again: what of it was made stays.`, { cause: error.cause })
  }
}

/** What an earlier try did not finish is there by its name, and is used by nobody. */
async function brokenIndexes(client: pg.Client, text: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
     where not i.indisvalid and c.relnamespace = current_schema()::regnamespace`,
  )
  return rows.map(({ name }) => name).filter((name) => new RegExp(`\\b${name}\\b`).test(text))
}

class StepFailed extends Error {
  constructor(name: string, place: string, cause: pg.DatabaseError) {
    const advice = shortageOf(cause)
    const why = advice === null ? cause.message : `${cause.message} (${advice})`
    super(`The migration ${name}${place} failed: ${why}.`, { cause })
  }
}

async function run(client: pg.Client, name: string, { text, line }: Step): Promise<void> {
  try {
    await client.query(text)
  } catch (error) {
    const { position } = error as pg.DatabaseError
    const lines = position ? text.slice(0, Number(position)).split('\n').length - 1 : 0
    throw new StepFailed(name, `, line ${line + lines}`, error as pg.DatabaseError)
  }
}

function compare(all: readonly Migration[], applied: readonly Applied[]): Difference {
  const there = new Map(applied.map((row) => [row.name, row.checksum]))
  const known = new Set(all.map(({ name }) => name))
  return {
    pending: all.filter(({ name }) => !there.has(name)).map(({ name }) => name),
    unknown: applied.filter(({ name }) => !known.has(name)).map(({ name }) => name),
    changed: all
      .filter(({ name, checksum }) => (there.get(name) ?? checksum) !== checksum)
      .map(({ name }) => name),
  }
}

/** Throws where this version must not touch the database. */
export function refuse({ unknown, changed }: Difference): void {
  if (unknown.length > 0) {
    throw new Error(
      `The database is newer than this version of Sunstead (${version}), which does not know ${listed(unknown)}. ` +
        'Start the version that was used last, or restore the backup from before the upgrade.',
    )
  }
  if (changed.length > 0) {
    throw new Error(
      `The database was made with ${listed(changed)} as it was then, and the file has been changed since. ` +
        'Put the file back as it was shipped; what is to change belongs in a new migration.',
    )
  }
}

function listed(names: string[]): string {
  const some = names.slice(0, 3).join(', ')
  return names.length > 3 ? `${some} and ${names.length - 3} more` : some
}

const listApplied: Statement = {
  name: 'list-migrations',
  text: 'select name, checksum from migrations order by name',
  urgent: true,
}
const findTable: Statement = {
  name: 'find-migrations',
  text: `select to_regclass('migrations') is not null as there`,
  urgent: true,
}

/** What stands between the database and this version. It is asked by those who watch, however busy the server is. */
export async function examineMigrations(db: Db): Promise<Difference> {
  const all = await shipped()
  const [table] = await db.query<{ there: boolean }>(findTable, [])
  return compare(all, table!.there ? await db.query<Applied>(listApplied, []) : [])
}

let shippedOnce: Promise<Migration[]> | undefined

/** They do not change while a program of this version runs. */
function shipped(): Promise<Migration[]> {
  shippedOnce ??= readMigrations(migrationsFolder)
  return shippedOnce
}
