import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dispatchMessages } from '../../../../src/domain/delivery/webhooks/dispatch-messages.ts'
import { watchEvents } from '../../../../src/domain/delivery/webhooks/watch-events.ts'
import { recordEvents } from '../../../../src/domain/journal/events/record-events.ts'
import { takeTimes } from '../../../../src/domain/kernel/tenant/clock-queries.ts'
import { oneServerOnly } from '../../../support/citus.ts'
import { createTestDatabase } from '../../../support/database.ts'
import { startDeliverySetup } from '../../../support/delivery-workers.ts'
import { createWorld, lead } from '../../../support/factories.ts'

const database = await createTestDatabase()
const { db } = database
const { register } = await startDeliverySetup(database)
const { installer } = await createWorld(db)
const installerId = installer.company.id
await register(installer)

const nobody = { hold: () => null }
const watch = (stopping = new AbortController().signal) => watchEvents(db, installerId, nobody, stopping)
const count = async (text: string) =>
  (await database.rows<{ n: number }>(`select count(*) as n ${text}`))[0]!.n
const woken = async () => (await database.rows<{ n: number }>('select woken as n from webhook_cursors'))[0]!.n
const isWatched = async () =>
  (await count('from webhook_cursors where watched_until > clock_timestamp()')) === 1
const jobs = async () => {
  await database.handOver?.()
  return count(`from graphile_worker.jobs where key like 'dispatch:%'`)
}
const forgetJobs = async () => {
  await database.handOver?.()
  await database.rows('delete from graphile_worker._private_jobs')
}

async function leads(n: number): Promise<void> {
  for (let i = 0; i < n; i++) await lead(installer)
}

/** As it is while a busy tenant is watched, and its job is being done. */
async function beWatched(): Promise<void> {
  await lead(installer)
  await dispatchMessages(db, installerId, nobody, new Date(Date.now() + 60_000))
  await forgetJobs()
}

test('a single event is handed out without anybody watching after it', async () => {
  await leads(1)
  assert.equal(await jobs(), 1)
  await watch()
  assert.deepEqual([await woken(), await isWatched()], [1, false])
})

test('who writes while somebody watches queues no job; who writes afterwards does', async () => {
  await beWatched()
  const before = await woken()
  await leads(3)
  assert.equal(await jobs(), 0)
  await watch()
  assert.deepEqual([await woken(), await isWatched()], [before + 3, false])
  await leads(1)
  assert.equal(await jobs(), 1)
})

test('an event that is written while somebody stops watching is not forgotten', {
  skip: oneServerOnly(),
}, async () => {
  await beWatched()
  const before = await woken()
  await leads(3)
  const { actor } = installer.as()
  let watching = Promise.resolve()
  await db.transaction(async (tx) => {
    const at = await takeTimes(tx, installerId, new Date(), 1)
    const event = { companyId: installerId, subjectId: 'pnl_1', data: { id: 'pnl_1', version: 1 } }
    await recordEvents(tx, actor, at, [{ type: 'panel.created', ...event }])
    watching = watch()
    // It has seen nothing more, and waits for whoever writes.
    const waits = `from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
    while ((await count(waits)) === 0);
  })
  await watching
  assert.deepEqual([await woken(), await jobs(), await isWatched()], [before + 4, 0, false])
})

test('who must stop says that nobody watches any more', async () => {
  await beWatched()
  const before = await woken()
  await leads(3)
  const stopping = new AbortController()
  const watching = watch(stopping.signal)
  while ((await woken()) === before);
  stopping.abort()
  await watching
  assert.equal(await isWatched(), false)
  await leads(1)
  assert.equal(await jobs(), 1)
})

test('after a crash nobody is believed to watch for long', async () => {
  await dispatchMessages(db, installerId, nobody, new Date(Date.now() - 1))
  await forgetJobs()
  await leads(1)
  assert.equal(await jobs(), 1)
})
