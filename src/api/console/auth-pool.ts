import type pg from 'pg'
import { isUnavailable } from '../../platform/database-errors.ts'
import type { Log } from '../../platform/log.ts'
import { isSpent } from '../../platform/pipeline.ts'
import { openPool } from '../../platform/pool.ts'

// Signing in takes several small statements, one after the other.
const statementMs = 2_000
const silenceMs = 2_500
const connectMs = 4_000
const awayMs = 5_000

export interface AuthPool {
  pool: pg.Pool
  /** How often the database could not be asked; better-auth tells of it as of any failure. */
  timesLost(): number
  /** Whether that was just now. */
  isAway(): boolean
  close(): Promise<void>
}

/** Connections of their own for people's sessions: better-auth brings its own statements. */
export function openAuthPool(url: string, connections: number, log: Log): AuthPool {
  const pool = openPool(
    {
      connectionString: url,
      max: connections,
      connectionTimeoutMillis: connectMs,
      // The form of timestamps that the driver's parser expects.
      options: `-c timezone=UTC -c statement_timeout=${statementMs}`,
      application_name: 'sunstead-sessions',
    },
    { silenceMs },
  )
  pool.on('error', (error) => log.debug({ error: error.message }, 'a connection for sessions was lost'))
  let timesLost = 0
  let lostAt = Number.NEGATIVE_INFINITY
  const note = (error: unknown) => {
    if (isUnavailable(error)) {
      timesLost++
      lostAt = performance.now()
    }
    throw error
  }
  const watched = new WeakSet<pg.PoolClient>()
  const spent = new WeakSet<pg.PoolClient>()
  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>
  const connectWatched = async () => {
    const client = await connect().catch(note)
    const release = client.release.bind(client)
    client.release = (error) => release(error ?? spent.has(client))
    if (!watched.has(client)) {
      watched.add(client)
      const query = client.query.bind(client) as (...asked: unknown[]) => Promise<unknown>
      client.query = ((...asked: unknown[]) =>
        query(...asked).catch((error) => {
          if (isSpent(error)) spent.add(client)
          return note(error)
        })) as typeof client.query
    }
    return client
  }
  pool.connect = connectWatched as typeof pool.connect
  return {
    pool,
    timesLost: () => timesLost,
    isAway: () => performance.now() - lostAt < awayMs,
    async close() {
      const ended = pool.end()
      pool.cut()
      await ended
    },
  }
}
