import pg from 'pg'
import { asUnavailable, DatabaseUnavailable } from './database-errors.ts'
import { type Limits, workLimits } from './database-limits.ts'
import { textAsBytes } from './long-values.ts'
import { type Bulkhead, isSpent, openPipeline, type Wait } from './pipeline.ts'
import { openPool } from './pool.ts'
import type { Column } from './sql/row.ts'
import { statementName } from './statement-name.ts'
import { createWaits, type WaitObserver } from './waits.ts'
import { within } from './within.ts'

/** One prepared statement. */
export interface Statement {
  /** For the reader: the line that declares it. */
  name?: string
  text: string
  /**
   * Short, so it may share a connection with others under way: 'read' with any, 'write' behind the
   * writes of the same tenant, whose id is its first value and which could not run beside it anyway.
   */
  shared?: 'read' | 'write'
  /** What is lost when the database dies in the same moment can be had again: it is not waited for to be on disk. */
  mayBeLost?: true
  /** Text comes as bytes, to be sent on as it is. */
  textAsBytes?: true
  /** Of one tenant's own tables; its id is the first value. */
  tenant?: true
  /** Of all tenants' own tables. */
  across?: true
  /** Where it shares a connection, only with those of the same part. */
  bulkhead?: Bulkhead
  /** What its rows hold, where that is declared. */
  columns?: Readonly<Record<string, Column>>
  /** Asked also when too much waits already: whoever watches over the server must go on seeing it. */
  urgent?: true
}

export interface Db {
  query<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]>
}

export interface Database extends Db {
  /** Runs in one transaction on one connection; rolls back when `work` throws. */
  transaction<T>(work: (tx: Db) => Promise<T>, isolation?: 'read committed' | 'repeatable read'): Promise<T>
  /**
   * For lists and reports: `read` is given a database that has everything that was written before this was called, be it
   * the one itself or a replica of it. It only reads, and is begun anew on another where the first fails.
   */
  reading<T>(tenant: string, shows: Shows, read: (db: Database) => Promise<T>): Promise<T>
  /** Plain SQL of several statements, for migrations and tests. */
  execute(text: string): Promise<void>
  /** Whether more would be refused, because too much waits already. */
  isBusy(): boolean
  /** Waits for what is under way, a few seconds at most. */
  close(): Promise<void>
}

/** What a list shows: only what changes with the tenant's clock, or anything. */
export type Shows = 'clocked' | 'anything'

/** One whose connections can be watched. */
export interface PooledDatabase extends Database {
  /** What is open and what waits, just now. */
  usage(): DatabaseUsage
  /** Reports waits to `observer` from now on. */
  observe(observer: WaitObserver): void
  /** Asks `route` first who does a shared write. */
  routeWrites(route: WriteRoute): void
}

/** The answer of another process that does this tenant's writes; null: it is done here. */
export type WriteRoute = (
  installerId: string,
  statement: Statement,
  values: readonly unknown[],
) => Promise<object[]> | null

export interface DatabaseUsage {
  /** Statements and transactions that were asked for and have not ended. */
  underWay: number
  connections: { pool: string; open: number; idle: number; waiting: number }[]
}

export const writeLockTimeoutMs = 500
/** Once the server has been silent for too long, until it says something: a call may need several statements. */
const stalledWaitMs = 500
const closeMs = 5_000

// Instants come as Date; the driver's own parser handles forms we never ask for and is slower.
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text) => new Date(`${text.replace(' ', 'T')}:00`))
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

// The time zone fixes the form of timestamps that the parser above reads. Statements are few and written for
// one plan each: planning them again for the values, as PostgreSQL does the first five times on every
// connection, takes longer than running them. None reads enough for more processes to pay: starting two took 10 to 20 ms of
// statements that read 24 pages, where a table was large and the planner could not know how little of it is a company's.
export const sessionSettings: Readonly<Record<string, string>> = {
  timezone: 'UTC',
  idle_in_transaction_session_timeout: '60000',
  plan_cache_mode: 'force_generic_plan',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
}

/** What is behind the address of a database. */
export interface Manners {
  /** Through a pooler no connection can have settings of its own: the role has them, and a transaction its time limit. */
  throughPooler?: boolean
  /** Settings that it needs instead of the usual ones. */
  settings?: Readonly<Record<string, string>>
}

/** Opens a pool. It connects on first use, so an unreachable server shows at the first query. */
export function openDatabase(
  url: string,
  onIdleError: (error: Error) => void,
  limits: Limits = workLimits,
  { throughPooler = false, settings: own = {} }: Manners = {},
): PooledDatabase {
  const { statementMs, waitMs, maxWaiting } = limits
  const settings = Object.entries({ ...sessionSettings, ...own })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
  const optionsOf = (more: string) =>
    throughPooler ? {} : { options: `${settings} -c statement_timeout=${statementMs}${more}` }
  const beginText = (isolation: string) =>
    `begin isolation level ${isolation}${throughPooler ? `; set local statement_timeout = ${statementMs}` : ''}`
  const connection = {
    connectionString: url,
    connectionTimeoutMillis: limits.connectMs,
    ...optionsOf(''),
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: 'sunstead',
  }
  let stalled = false
  let underWay = 0
  const waits = createWaits()
  let writeRoute: WriteRoute | null = null
  const patience = {
    silenceMs: waitMs,
    onSilence: () => {
      stalled = true
    },
  }
  const pool = openPool({ ...connection, max: limits.pool, idleTimeoutMillis: 60_000 }, patience)
  pool.on('error', onIdleError)
  const asyncCommit = openPool(
    {
      ...connection,
      ...optionsOf(' -c synchronous_commit=off'),
      max: Math.max(1, limits.asyncCommitPool),
      idleTimeoutMillis: 60_000,
    },
    patience,
  )
  asyncCommit.on('error', onIdleError)
  const reads = openPipeline(connection, limits.readConnections, patience)
  // A tenant that is locked for long, by a rename of many records, must not hold up the others on its connection.
  const writes = openPipeline(
    { ...connection, ...optionsOf(` -c lock_timeout=${writeLockTimeoutMs}`) },
    limits.writeConnections,
    patience,
  )

  /**
   * Waits for an answer, or for a connection and what is first done on it, no longer than that may take. Work that has
   * not been sent by then must not be: who asked has been told that it is not done.
   */
  function soon<T>(work: (wait: Wait) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const wait: Wait = { over: false }
      const limitMs = stalled ? Math.min(stalledWaitMs, waitMs) : waitMs
      let settled = false
      const giveUp = () => {
        if (settled) return
        wait.over = true
        stalled = true
        reject(new DatabaseUnavailable('the database does not answer'))
      }
      // Where it is we who come late, the answer may lie there unread: it is read first.
      const timer = setTimeout(() => setImmediate(giveUp), limitMs)
      work(wait).then(
        (answer) => {
          clearTimeout(timer)
          settled = true
          stalled = false
          resolve(answer)
        },
        (error) => {
          clearTimeout(timer)
          settled = true
          // Refused is answered too.
          if (error instanceof pg.DatabaseError) stalled = false
          reject(error)
        },
      )
    })
  }

  async function guarded<T>(work: () => Promise<T>, urgent = false): Promise<T> {
    if (underWay >= maxWaiting && !urgent) {
      throw new DatabaseUnavailable('too many calls wait for the database')
    }
    underWay++
    try {
      return await work()
    } catch (error) {
      throw asUnavailable(error)
    } finally {
      underWay--
    }
  }

  function run<Row extends object>(
    statement: Statement,
    values: readonly unknown[],
    wait: Wait,
  ): Promise<Row[]> {
    const { shared, mayBeLost, bulkhead } = statement
    const query = askedOf(statement, values)
    if (shared === 'read' && limits.readConnections > 0)
      return waits.shared('read', reads.query(query, wait, undefined, bulkhead))
    if (shared === 'write' && limits.writeConnections > 0) {
      const elsewhere = writeRoute?.(values[0] as string, statement, values) ?? null
      if (elsewhere) return elsewhere as Promise<Row[]>
      return waits.shared('write', writes.query(query, wait, values[0] as string, bulkhead))
    }
    return mayBeLost && limits.asyncCommitPool > 0
      ? runOn(asyncCommit, query, wait, waits.connection('asyncCommit'))
      : runOn(pool, query, wait, waits.connection('pool'))
  }

  /** A connection on which a transaction has begun. */
  async function begin(isolation: string, wait: Wait): Promise<pg.PoolClient> {
    const connected = waits.connection('pool')
    const client = await pool.connect()
    connected()
    try {
      if (!wait.over) await client.query(beginText(isolation))
      if (!wait.over) return client
      throw new DatabaseUnavailable('nobody waits for this connection any more')
    } catch (error) {
      client.release(true)
      throw error
    }
  }

  const database: PooledDatabase = {
    query: (statement, values) =>
      guarded(() => soon((wait) => run(statement, values, wait)), statement.urgent),

    transaction: (work, isolation = 'read committed') =>
      guarded(async () => {
        const client = await soon((wait) => begin(isolation, wait))
        let broken: Error | undefined
        try {
          const result = await work({
            query: async (statement, values) => (await client.query(askedOf(statement, values))).rows,
          })
          await client.query('commit')
          return result
        } catch (error) {
          // Where the connection was given up this fails at once.
          await client.query('rollback').catch((failure: Error) => {
            broken = failure
          })
          if (error instanceof pg.DatabaseError && isSpent(error)) broken = error
          throw error
        } finally {
          client.release(broken)
        }
      }),

    reading: (_tenant, _shows, read) => read(database),

    execute: (text) =>
      guarded(async () => {
        await pool.query(text)
      }),

    isBusy: () => underWay >= maxWaiting,

    usage: () => ({
      underWay,
      connections: [
        { pool: 'pool', ...usageOf(pool) },
        { pool: 'asyncCommit', ...usageOf(asyncCommit) },
        { pool: 'reads', ...reads.usage() },
        { pool: 'writes', ...writes.usage() },
      ],
    }),

    observe: waits.observe,

    routeWrites(route) {
      writeRoute = route
    },

    async close() {
      const ended = Promise.all([pool.end(), asyncCommit.end(), reads.close(), writes.close()])
      if (await within(closeMs, ended)) return
      for (const each of [pool, asyncCommit, reads, writes]) each.cut()
    },
  }
  return database
}

function usageOf({ totalCount, idleCount, waitingCount }: pg.Pool) {
  return { open: totalCount, idle: idleCount, waiting: waitingCount }
}

/** What the driver is asked. */
function askedOf({ text, textAsBytes: asBytes }: Statement, values: readonly unknown[]) {
  const asked = { name: statementName(text), text, values: values as unknown[] }
  return asBytes ? { ...asked, types: textAsBytes } : asked
}

/** Gives the connection back as it is where the statement was merely refused. */
function runOn<Row>(pool: pg.Pool, asked: pg.QueryConfig, wait: Wait, connected: () => void): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    pool.connect((error, client, release) => {
      if (!client) return reject(error)
      connected()
      if (wait.over) {
        release()
        return reject(new DatabaseUnavailable('nobody waits for this answer any more'))
      }
      client.query(asked, (failure: Error | null, result: pg.QueryResult) => {
        release(failure && isSpent(failure) ? failure : undefined)
        if (failure) reject(failure)
        else resolve(result.rows)
      })
    })
  })
}
