import { Logger, runMigrations, runTaskList, type TaskList, type WorkerPool } from 'graphile-worker'
import type pg from 'pg'
import type { Log } from './log.ts'
import { openPool } from './pool.ts'
import { traced } from './tracing/tracing.ts'
import { within } from './within.ts'

export interface Queue {
  /** Takes up no more jobs; settles when those under way have ended, or after so long. */
  stop(limitMs?: number): Promise<void>
}

/** A job's work, given what it was queued with. */
export type Task = (payload: unknown) => Promise<void>

const none = () => ({})
/** One listens, one says that we live. */
export const queueConnections = 6
// Jobs mostly wait for others, so many may run at once; they are fetched together, by one that asks for all.
const concurrency = 512
const pollMs = 1_000
const restartMs = 1_000
const unlockAgainMs = 5_000
const unlockTries = 5
const migrationLock = 7_310_002
const silenceMs = 30_000
/** Another process may be migrating, which can take long. */
const migrationMs = 600_000
// Longer than jobs are given to end.
const stopMs = 8_000

// Who runs jobs holds a lock by its name for as long as it lives. What one that died had taken up would stay its own
// for four hours; a job done twice does no harm.
const sayAlive = 'select pg_advisory_lock(7310003, hashtext($1))'
const unlockDead = `select graphile_worker.force_unlock_workers(array(
  select distinct j.locked_by from graphile_worker.jobs j where j.locked_by = $1 or (j.locked_by <> $2 and not exists (
    select from pg_locks l join pg_database d on d.oid = l.database
    where d.datname = current_database() and l.locktype = 'advisory' and l.classid = 7310003
      and l.objid = (hashtext(j.locked_by)::bigint & 4294967295)::oid))))`

/** Makes or brings up to date what the queue keeps in the database: a schema of its own, graphile_worker. */
export async function migrateQueue(url: string, log: Log): Promise<void> {
  const pool = openQueuePool(url, log, migrationMs, queueConnections)
  try {
    const client = await pool.connect()
    // Several processes may start at once; the lock is gone with its connection.
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await runMigrations({ pgPool: pool, logger: loggerOf(log) }).finally(() => client.release(true))
  } finally {
    await pool.end()
  }
}

/**
 * Runs the jobs of the queue in this process. New ones are heard of at once (LISTEN), those that are
 * due later are found within a second.
 */
export async function startQueue(
  url: string,
  tasks: Record<string, Task>,
  log: Log,
  connections = queueConnections,
): Promise<Queue> {
  const pool = openQueuePool(url, log, silenceMs, connections)
  const taskList: TaskList = Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [
      name,
      (payload: unknown) => traced(`task ${name}`, 'CONSUMER', none, () => task(payload)),
    ]),
  )
  let stopping = false
  let worker: WorkerPool | null = null
  let alive: Promise<pg.PoolClient | null> = Promise.resolve(null)

  const beAlive = async (name: string) => {
    const client = await pool.connect()
    return client.query(sayAlive, [name]).then(
      () => client,
      () => {
        client.release(true)
        return null
      },
    )
  }
  const beNoMore = async () => {
    const client = await alive
    alive = Promise.resolve(null)
    client?.release(true)
  }
  // Jobs that are queued meanwhile may be locked in another order than these.
  const unlock = async (id: string | null) => {
    for (let tries = 1; ; tries++) {
      try {
        await pool.query(unlockDead, [id, ''])
        return
      } catch (error) {
        if (tries === unlockTries || (error as pg.DatabaseError).code !== '40P01') throw error
      }
    }
  }
  const start = async () => {
    await beNoMore()
    await unlock(worker?.id ?? null)
    if (stopping) return
    worker = runTaskList(
      {
        noHandleSignals: true,
        logger: loggerOf(log),
        preset: {
          worker: {
            concurrentJobs: concurrency,
            pollInterval: pollMs,
            localQueue: { size: concurrency },
            // Also the safe way: one by one, a lost connection would end the process by an unhandled rejection.
            completeJobBatchDelay: 0,
            failJobBatchDelay: 0,
          },
        },
      },
      taskList,
      pool,
    )
    // It ends by itself when the database has been away.
    worker.promise.then(restart, restart)
    alive = beAlive(worker.id).catch(() => null)
    await alive
  }
  const restart = (error?: unknown) => {
    if (stopping) return
    log.warn({ error: String(error ?? '') }, 'the queue has stopped and is started again')
    setTimeout(() => void start().catch(restart), restartMs).unref()
  }

  await start()
  // The connections of one that was killed go one after the other: what it had taken up may still look like a living one's.
  const unlocking = setInterval(() => {
    pool.query(unlockDead, [null, worker?.id ?? '']).catch(() => {})
  }, unlockAgainMs)
  return {
    async stop(limitMs = stopMs) {
      stopping = true
      clearInterval(unlocking)
      const ended = Promise.resolve(worker?.gracefulShutdown())
        .catch((error) => log.warn({ error: String(error) }, 'the queue did not stop as it should'))
        .then(beNoMore)
        .then(() => pool.end())
      if (!(await within(limitMs, ended))) pool.cut()
    },
  }
}

function openQueuePool(url: string, log: Log, patienceMs: number, connections: number) {
  const pool = openPool(
    {
      connectionString: url,
      max: connections,
      connectionTimeoutMillis: 5_000,
      // The form of timestamps that the driver's parser expects.
      options: '-c timezone=UTC',
      keepAlive: true,
      application_name: 'sunstead-queue',
    },
    { silenceMs: patienceMs },
  )
  const note = (error: Error) => log.debug({ error: error.message }, 'a connection of the queue was lost')
  pool.on('error', note)
  pool.on('connect', (client) => client.on('error', note))
  releaseOnce(pool)
  return pool
}

/**
 * The queue lets go of the connection that it listens on twice where that is lost while it stops. The pool throws then, where
 * nobody catches it, and the process would end.
 */
function releaseOnce(pool: pg.Pool): void {
  const connect = pool.connect.bind(pool) as (whenConnected?: WhenConnected) => unknown
  const connectOnce = (whenConnected?: WhenConnected) =>
    connect(
      whenConnected &&
        ((error, client, release) => {
          let isReleased = false
          whenConnected(error, client, (reason) => {
            if (!isReleased) release?.(reason)
            isReleased = true
          })
        }),
    )
  pool.connect = connectOnce as pg.Pool['connect']
}

type WhenConnected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: ((reason?: Error | boolean) => void) | undefined,
) => void

/** Only what went wrong is worth a line of ours. */
function loggerOf(log: Log): Logger {
  return new Logger(() => (level, message) => {
    if (level === 'error' || level === 'warning')
      log.warn({ queue: message.slice(0, 1_000) }, 'the queue reports')
  })
}
