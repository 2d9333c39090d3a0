import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { after, test } from 'node:test'
import pg from 'pg'
import { createLog } from '../../src/platform/log.ts'
import { migrateQueue, startQueue } from '../../src/platform/queue.ts'
import { createTestDatabase } from '../support/database.ts'

const database = await createTestDatabase()
const log = createLog('silent')
after(() => database.drop())

const queued = (n: number, key = `job-${n}`) =>
  database.rows(`select queue_job('note', json_build_object('n', $1::int), $2)`, [n, key])

/** A queue whose only task notes what it was given. */
async function start(work: (n: number) => Promise<void> = async () => {}) {
  const noted: number[] = []
  const waiting = new Set<() => void>()
  const queue = await startQueue(
    database.url,
    {
      note: async (payload) => {
        const { n } = payload as { n: number }
        noted.push(n)
        for (const look of waiting) look()
        await work(n)
      },
    },
    log,
  )
  const until = (n: number) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (noted.includes(n)) resolve()
      }
      waiting.add(look)
      look()
    })
  return { ...queue, noted, until }
}

test('several processes may make the queue at once, and again', async () => {
  await Promise.all([1, 2, 3].map(() => migrateQueue(database.url, log)))
  await migrateQueue(database.url, log)
})

test('a job is heard of at once; one that was queued while nobody ran is done at the next start', async () => {
  await queued(1)
  const queue = await start()
  await queue.until(1)
  // Each is queued when the one before has just been fetched: where they were polled for, each would take a second.
  const begun = performance.now()
  for (let n = 21; n <= 40; n++) {
    await queued(n)
    await queue.until(n)
  }
  const ms = performance.now() - begun
  await queue.stop()
  assert.ok(ms < 15_000, `sooner than they are polled for: ${ms} ms`)
  assert.deepEqual(await database.rows('select key from graphile_worker.jobs'), [])
})

test('a job that a killed process had taken up is done at once at the next start', async () => {
  await queued(3)
  await database.rows(
    `update graphile_worker._private_jobs set locked_by = 'pool-dead', locked_at = now(), attempts = 1`,
  )
  const begun = performance.now()
  const queue = await start()
  await queue.until(3)
  // Otherwise it is held for four hours.
  assert.ok(performance.now() - begun < 60_000)
  await queue.stop()
})

test('a second server leaves alone what the first is at', async () => {
  const first = Promise.withResolvers<void>()
  const [one, other] = [await start(() => first.promise), await start(() => first.promise)]
  await queued(12)
  await Promise.race([one.until(12), other.until(12)])
  const third = await start()
  await queued(13)
  await Promise.race([one.until(13), other.until(13), third.until(13)])
  first.resolve()
  await Promise.all([one.stop(), other.stop(), third.stop()])
  assert.deepEqual([...one.noted, ...other.noted, ...third.noted].sort(), [12, 13])
})

test('a job queued while the one of its key runs is done after it', async () => {
  const first = Promise.withResolvers<void>()
  const queue = await start((n) => (n === 4 ? first.promise : Promise.resolve()))
  await queued(4, 'same')
  await queue.until(4)
  await queued(5, 'same')
  await queue.until(5)
  first.resolve()
  await queue.stop()
  assert.deepEqual(queue.noted, [4, 5])
})

test('a job that is taken up in the very moment in which it is queued again is done twice, not once', async () => {
  await queued(6, 'raced')
  const worker = new pg.Client({ connectionString: database.url })
  await worker.connect()
  await worker.query('begin')
  await worker.query(`update graphile_worker._private_jobs set locked_by = 'pool-x', locked_at = now()`)
  // It sees the job free, then meets the lock: without another job this would be lost.
  const again = queued(7, 'raced')
  const waits = async () =>
    (
      await database.rows(
        `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      )
    ).length > 0
  while (!(await waits()));
  await worker.query('commit')
  await worker.end()
  await again
  const jobs = await database.rows<{ n: number; free: boolean }>(
    `select (payload->>'n')::int as n, locked_at is null as free from graphile_worker._private_jobs order by id`,
  )
  assert.deepEqual(jobs, [
    { n: 6, free: false },
    { n: 7, free: true },
  ])
  await database.rows('delete from graphile_worker._private_jobs')
})

test('what is rolled back is not queued', async () => {
  const queue = await start()
  await assert.rejects(
    database.db.transaction(async (tx) => {
      await tx.query({ name: '', text: `select queue_job('note', '{"n": 8}', 'rolled back')` }, [])
      throw new Error('no')
    }),
  )
  await queued(9)
  await queue.until(9)
  await queue.stop()
  assert.deepEqual(queue.noted, [9])
})

test('the queue comes back when its connections are lost, also while a job runs', async () => {
  const running = Promise.withResolvers<void>()
  const queue = await start((n) => (n === 10 ? running.promise : Promise.resolve()))
  await queued(10)
  await queue.until(10)
  await database.rows(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'sunstead-queue' and datname = current_database()`,
  )
  running.resolve()
  await queued(11)
  await queue.until(11)
  await queue.stop()
})

test('a stop before it was answered that it hears of jobs lets go of its connection once', async () => {
  const { host, port, user, password, database: name } = new pg.Client(database.url)
  const asked = Promise.withResolvers<void>()
  const way = createServer((near) => {
    const far = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port })
    near.on('data', (bytes) => {
      if (bytes.includes('LISTEN "jobs:insert"')) asked.resolve()
      else far.write(bytes)
    })
    far.pipe(near)
    near.on('error', () => far.destroy()).on('close', () => far.destroy())
    far.on('error', () => near.destroy())
  }).listen(0, '127.0.0.1')
  await once(way, 'listening')
  const at = `127.0.0.1:${(way.address() as AddressInfo).port}`
  const queue = await startQueue(`postgres://${user}:${password ?? ''}@${at}/${name}`, {}, log)
  await asked.promise
  await queue.stop(200)
  way.close()
  await once(way, 'close')
})

test('what a dead one had taken up is let go of, although others lock the same jobs in another order', async () => {
  await queued(51)
  await queued(52)
  await database.rows(`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'a dead one'`)
  const other = new pg.Client(database.url)
  await other.connect()
  const change = (key: string) =>
    other.query(`update graphile_worker._private_jobs set priority = priority where key = $1`, [key])
  await other.query('begin')
  await change('job-52')
  const starting = start()
  const waits = `select from pg_locks l join pg_database d on d.oid = l.database or l.database is null
    where not l.granted and d.datname = current_database()`
  while ((await database.rows(waits)).length === 0);
  // Of the two the database ends one: ours mostly, which tries again.
  await change('job-51').catch(({ code }: pg.DatabaseError) => assert.equal(code, '40P01'))
  await other.query('commit')
  await other.end()
  const queue = await starting
  await Promise.all([queue.until(51), queue.until(52)])
  await queue.stop()
})
