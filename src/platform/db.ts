import pg from 'pg'
import { openPipeline } from './pipeline.ts'

/** One named, prepared statement. The name must be unique to its text. */
export interface Statement {
  name: string
  text: string
  /**
   * Short, so it may share a connection with others under way: 'read' with any, 'write' behind the
   * writes of the same tenant, whose id is its first value and which could not run beside it anyway.
   */
  shared?: 'read' | 'write'
  /** What is lost when the database dies in the same moment can be had again: it is not waited for to be on disk. */
  mayBeLost?: true
}

export interface Db {
  query<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]>
}

export interface Database extends Db {
  /** Runs in one transaction on one connection; rolls back when `work` throws. */
  transaction<T>(work: (tx: Db) => Promise<T>, isolation?: 'read committed' | 'repeatable read'): Promise<T>
  /** Plain SQL of several statements, for migrations and tests. */
  execute(text: string): Promise<void>
  close(): Promise<void>
}

/** The database cannot be reached or is too busy just now: worth another try later. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable'
}

const poolSize = 10
const hastyPoolSize = 4
const readLanes = 3
const writeLanes = 8
const laneLockTimeoutMs = 500
const maxWaiting = 2000

// Instants come as Date; the driver's own parser handles forms we never ask for and is slower.
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text) => new Date(`${text.replace(' ', 'T')}:00`))
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

// The time zone fixes the form of timestamps that the parser above reads. Statements are few and written for
// one plan each: planning them anew for the values, as PostgreSQL does the first five times on every
// connection, takes longer than running them.
const settings = [
  'timezone=UTC',
  'statement_timeout=20000',
  'idle_in_transaction_session_timeout=60000',
  'plan_cache_mode=force_generic_plan',
  'jit=off',
]
  .map((setting) => `-c ${setting}`)
  .join(' ')

/** Opens a pool. It connects on first use, so an unreachable server shows at the first query. */
export function openDatabase(url: string, onIdleError: (error: Error) => void): Database {
  const connection = {
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    options: settings,
    // A server that has gone silent is noticed; one that is merely slow is ended by statement_timeout.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: 'sunstead',
  }
  const pool = new pg.Pool({ ...connection, max: poolSize, idleTimeoutMillis: 60_000 })
  pool.on('error', onIdleError)
  const hasty = new pg.Pool({
    ...connection,
    options: `${settings} -c synchronous_commit=off`,
    max: hastyPoolSize,
    idleTimeoutMillis: 60_000,
  })
  hasty.on('error', onIdleError)
  const readings = openPipeline(connection, readLanes)
  // A tenant that is locked for long, by a rename of many records, must not hold up the others of its lane.
  const writings = openPipeline(
    { ...connection, options: `${settings} -c lock_timeout=${laneLockTimeoutMs}` },
    writeLanes,
  )

  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    if (pool.waitingCount > maxWaiting) throw new DatabaseUnavailable('too many calls wait for the database')
    try {
      return await work()
    } catch (error) {
      throw isUnavailable(error)
        ? new DatabaseUnavailable(String((error as Error).message), { cause: error })
        : error
    }
  }

  return {
    query: (statement, values) =>
      guarded(async () => {
        if (statement.shared === 'read') return readings.query(statement, values)
        if (statement.shared === 'write') return writings.query(statement, values, values[0] as string)
        const { name, text, mayBeLost } = statement
        return (await (mayBeLost ? hasty : pool).query({ name, text, values: values as unknown[] })).rows
      }),

    transaction: (work, isolation = 'read committed') =>
      guarded(async () => {
        const client = await pool.connect()
        let broken: Error | undefined
        // A lost connection shows in the query that fails; an 'error' without a listener would end the process.
        const ignore = () => {}
        client.on('error', ignore)
        try {
          await client.query(`begin isolation level ${isolation}`)
          const result = await work({
            query: async (statement, values) =>
              (
                await client.query({
                  name: statement.name,
                  text: statement.text,
                  values: values as unknown[],
                })
              ).rows,
          })
          await client.query('commit')
          return result
        } catch (error) {
          await client.query('rollback').catch((failure: Error) => {
            broken = failure
          })
          throw error
        } finally {
          client.off('error', ignore)
          client.release(broken)
        }
      }),

    execute: (text) =>
      guarded(async () => {
        await pool.query(text)
      }),

    async close() {
      await Promise.all([pool.end(), hasty.end(), readings.close(), writings.close()])
    },
  }
}

const unavailableStates = /^(08|53|57P|57014|25P03|40001|40P01)/

/** Connection lost or refused, server stopping, out of resources, or a statement that took too long. */
function isUnavailable(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string }
  if (typeof code === 'string') return unavailableStates.test(code) || /^E[A-Z]+$/.test(code)
  return /timeout exceeded when trying to connect|Connection terminated|not queryable|ended|read timeout/i.test(
    message ?? '',
  )
}

export function isUniqueViolation(error: unknown, index: string): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string }
  return code === '23505' && constraint === index
}
