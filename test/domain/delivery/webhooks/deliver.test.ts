import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleteWebhook } from '../../../../src/domain/delivery/webhooks/delete-webhook.ts'
import { listNew, wakeOverdue } from '../../../../src/domain/delivery/webhooks/log-queries.ts'
import { sweepWebhooks } from '../../../../src/domain/delivery/webhooks/sweep-webhooks.ts'
import { citusNodes } from '../../../support/citus.ts'
import { byTest } from '../../../support/clock-watch.ts'
import { createTestDatabase } from '../../../support/database.ts'
import { startDeliverySetup } from '../../../support/delivery-workers.ts'
import { createWorld, lead } from '../../../support/factories.ts'

const database = await createTestDatabase()
const { db } = database
const { receiver, register, workers: workersOf, dispatchAll, deliveries } = await startDeliverySetup(database)
const world = await createWorld(db)

test('an event is told once, however many wake its endpoint at once', async () => {
  const hook = await register(world.installer)
  for (let i = 0; i < 5; i++) await lead(world.installer)
  await Promise.all([1, 2, 3, 4].map(() => dispatchAll(hook.installerId)))
  const messages = await database.rows('select number, body from webhook_messages order by number')
  assert.deepEqual(
    messages.map((message) => message.number),
    [1, 2, 3, 4, 5],
  )
  await workersOf().deliver(hook.installerId, hook.id)
  assert.equal((await deliveries(hook)).length, 5)
  assert.equal(receiver.at(hook.path).length, 5)
  assert.match(receiver.at(hook.path)[0]!.body, /"record":"http:\/\/sunstead\.test\/leads\//)
})

test('a write queues its handing out in its own transaction, and only where somebody listens', async () => {
  const keys = async () => {
    await database.handOver?.()
    return database.rows('select key from graphile_worker.jobs where task_identifier = $1', [
      'dispatch-events',
    ])
  }
  await database.handOver?.()
  await database.rows('delete from graphile_worker._private_jobs')
  await lead(world.other)
  assert.deepEqual(await keys(), [])
  await lead(world.installer)
  await lead(world.installer)
  assert.deepEqual(await keys(), [{ key: `dispatch:${world.installer.company.id}` }])
})

test('stopping breaks off what hangs, and it is sent again afterwards', async () => {
  const hook = await register(world.dealer)
  receiver.behave(hook.path, () => {})
  await lead(world.dealer)
  await dispatchAll(hook.installerId)
  const workers = workersOf({ timeLimitMs: 600_000 })
  const delivering = workers.deliver(hook.installerId, hook.id)
  await receiver.arrived(hook.path, 1)
  const begun = performance.now()
  await workers.stop(100)
  await delivering
  assert.ok(performance.now() - begun < 60_000)
  assert.deepEqual(await deliveries(hook), [])
  receiver.behave(hook.path, (response) => response.writeHead(200).end())
  await workersOf().deliver(hook.installerId, hook.id)
  assert.equal((await deliveries(hook))[0]!.state, 'delivered')
  assert.equal(new Set(receiver.at(hook.path).map((one) => one.id)).size, 1)
})

test('an endpoint that fails is tried one at a time until it works again', async () => {
  const hook = await register(world.otherDealer)
  await database.rows('update webhooks set failing_since = now(), last_attempt_at = now() where id = $1', [
    hook.id,
  ])
  for (let i = 0; i < 12; i++) await lead(world.otherDealer)
  await dispatchAll(hook.installerId)
  let underWay = 0
  let most = 0
  let calls = 0
  const widths: number[] = []
  const { promise: beside, resolve: isBeside } = Promise.withResolvers<void>()
  receiver.behave(hook.path, async (response) => {
    most = Math.max(most, ++underWay)
    widths.push(most)
    if (most > 1) isBeside()
    const status = ++calls <= 3 ? 500 : 200
    // Once it works again, one is under way until another comes beside it.
    await (calls <= 4 ? new Promise((resolve) => setTimeout(resolve, 20)) : beside)
    underWay--
    response.writeHead(status).end()
  })
  await workersOf({ waitsSeconds: [0.05] }).deliver(hook.installerId, hook.id)
  assert.deepEqual(widths.slice(0, 4), [1, 1, 1, 1])
  assert.ok(most > 1 && most <= 8, `${most} at once`)
  assert.equal((await deliveries(hook)).filter((row) => row.state === 'delivered').length, 12)
})

test('what nobody is delivering is woken; what somebody is, is not', async () => {
  const hook = await register(world.sister)
  await lead(world.sister)
  await dispatchAll(hook.installerId)
  const jobs = async () => {
    await database.handOver?.()
    return database.rows(`select key from graphile_worker.jobs where key = $1`, [`deliver:${hook.id}`])
  }
  await database.handOver?.()
  await database.rows('delete from graphile_worker._private_jobs')
  await wakeOverdue(db, new Date(), [hook.id])
  assert.deepEqual(await jobs(), [])
  await wakeOverdue(db, new Date(), [])
  assert.equal((await jobs()).length, 1)
  await lead(world.sister)
  await database.handOver?.()
  await database.rows('delete from graphile_worker._private_jobs')
  await wakeOverdue(db, new Date(), [])
  await database.handOver?.()
  const behind = await database.rows(
    `select key from graphile_worker.jobs where task_identifier = 'dispatch-events'`,
  )
  assert.deepEqual(behind, [{ key: `dispatch:${world.installer.company.id}` }])
})

test('deliveries are removed 30 days after they are done, what they told after 90, deleted endpoints with all of theirs', async () => {
  const of = world.other
  const [kept, deleted] = [await register(of), await register(of)]
  await lead(of)
  await dispatchAll(of.company.id)
  await workersOf().deliver(of.company.id, kept.id)
  const count = async (table: string) =>
    (
      await database.rows<{ n: number }>(`select count(*) as n from ${table} where installer_id = $1`, [
        of.company.id,
      ])
    )[0]!.n
  const before = { messages: await count('webhook_messages'), deliveries: (await deliveries(kept)).length }
  const never = new AbortController().signal
  const days = (n: number) => new Date(Date.now() + n * 86_400_000)
  await sweepWebhooks(db, days(29), never)
  assert.equal((await deliveries(kept)).length, before.deliveries)
  await deleteWebhook(of.as(), deleted.id)
  await sweepWebhooks(db, new Date(), never)
  assert.deepEqual(await deliveries(deleted), [])
  assert.equal((await deliveries(kept)).length, before.deliveries)

  // What is due to an endpoint that is enabled is kept however old it is.
  await lead(of)
  await dispatchAll(of.company.id)
  await sweepWebhooks(db, days(31), never)
  assert.deepEqual(await deliveries(kept), [])
  await sweepWebhooks(db, days(89), never)
  assert.equal(await count('webhook_messages'), before.messages + 1)
  await sweepWebhooks(db, days(91), never)
  assert.equal(await count('webhook_messages'), 1)
  await workersOf().deliver(of.company.id, kept.id)
  assert.equal((await deliveries(kept))[0]!.state, 'delivered')
  const left = await database.rows('select id from webhooks where id = any($1)', [[kept.id, deleted.id]])
  assert.deepEqual(left, [{ id: kept.id }])
})

// A node of Citus counts by itself.
test('who has many waiting is not asked of each whether it was settled', {
  skip: citusNodes().length > 0,
}, async () => {
  const { id: webhookId, installerId } = await register(world.other)
  for (let i = 0; i < 30; i++) await lead(world.other)
  await dispatchAll(installerId)
  // So that the plan is one for an empty table.
  await database.rows('analyze webhook_deliveries, webhook_messages')
  const looks = await db.transaction(async (tx) => {
    // What this connection did before may be counted too.
    const text = `${byTest} select (seq_scan + coalesce(idx_scan, 0))::int as n from pg_stat_xact_user_tables
      where relname = 'webhook_deliveries'`
    const looked = async () => (await tx.query<{ n: number }>({ name: '', text }, []))[0]!.n
    const before = await looked()
    const found = await listNew(tx, { installerId, webhookId, after: null, count: 2 })
    assert.equal(found?.messages.length, 2)
    return (await looked()) - before
  })
  assert.ok(looks <= 3, `${looks} looks for 2 messages`)
})
