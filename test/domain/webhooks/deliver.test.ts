import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createWebhook } from '../../../src/domain/webhooks/create-webhook.ts'
import { deleteWebhook } from '../../../src/domain/webhooks/delete-webhook.ts'
import { handOut } from '../../../src/domain/webhooks/hand-out.ts'
import { createLanes, type Lanes } from '../../../src/domain/webhooks/lanes.ts'
import { sweepWebhooks } from '../../../src/domain/webhooks/sweep-webhooks.ts'
import { wakeOverdue } from '../../../src/domain/webhooks/upkeep-queries.ts'
import { createLog } from '../../../src/platform/log.ts'
import { createOutbound } from '../../../src/platform/outbound/http.ts'
import { migrateQueue } from '../../../src/platform/queue.ts'
import { createTestDatabase } from '../../support/database.ts'
import { type Actors, createWorld, lead } from '../../support/factories.ts'
import { startPlainReceiver } from '../../support/webhook-receiver.ts'

const database = await createTestDatabase()
const { db } = database
const receiver = await startPlainReceiver()
const trustedHosts = new Set([receiver.host])
const outbound = createOutbound({ trustedHosts })
const nobody = { hold: () => null }
let paths = 0
before(() => migrateQueue(database.url, createLog('silent')))
const world = await createWorld(db)
after(async () => {
  await outbound.close()
  await receiver.close()
  await database.drop()
})

async function register(of: Actors, events = ['*']) {
  const path = `/${++paths}`
  const made = await createWebhook(of.as(), trustedHosts, { url: receiver.url + path, events })
  return { ...made, path, installerId: of.company.installerId }
}

const lanesOf = (waitsSeconds: number[] = []): Lanes =>
  createLanes({ db, sending: { outbound, userAgent: 'test' }, waitsSeconds })

const rows = (id: string) =>
  database.rows<{ state: string; attempts: object[] }>(
    'select state, attempts from webhook_deliveries where webhook_id = $1 order by event_at, event_ordinal',
    [id],
  )

async function handOutAll(installerId: string): Promise<void> {
  while (await handOut(db, installerId, 'http://sunstead.test', nobody));
}

test('an event is handed out once, however many do it at once', async () => {
  const hook = await register(world.installer)
  for (let i = 0; i < 5; i++) await lead(world.installer)
  await Promise.all([1, 2, 3, 4].map(() => handOutAll(hook.installerId)))
  assert.equal((await rows(hook.id)).length, 5)
  const messages = await database.rows('select body from webhook_messages')
  assert.equal(messages.length, 5)
  assert.match(String(messages[0]!.body), /"record":"http:\/\/sunstead\.test\/leads\//)
})

test('a write queues its handing out in its own transaction, and only where somebody listens', async () => {
  const keys = () =>
    database.rows('select key from graphile_worker.jobs where task_identifier = $1', ['hand-out-events'])
  await database.rows('delete from graphile_worker._private_jobs')
  await lead(world.other)
  assert.deepEqual(await keys(), [])
  await lead(world.installer)
  await lead(world.installer)
  assert.deepEqual(await keys(), [{ key: `hand-out:${world.installer.company.id}` }])
})

test('stopping breaks off what hangs, and it is sent again afterwards', async () => {
  const hook = await register(world.dealer)
  receiver.behave(hook.path, () => {})
  await lead(world.dealer)
  await handOutAll(hook.installerId)
  const lanes = lanesOf()
  const delivering = lanes.deliver(hook.installerId, hook.id)
  await receiver.arrived(hook.path, 1)
  const begun = performance.now()
  await lanes.stop(100)
  await delivering
  assert.ok(performance.now() - begun < 5_000)
  assert.deepEqual(await rows(hook.id), [{ state: 'due', attempts: [] }])
  receiver.behave(hook.path, (response) => response.writeHead(200).end())
  await lanesOf().deliver(hook.installerId, hook.id)
  assert.equal((await rows(hook.id))[0]!.state, 'delivered')
  assert.equal(new Set(receiver.at(hook.path).map((one) => one.id)).size, 1)
})

test('an endpoint that fails is tried one at a time until it works again', async () => {
  const hook = await register(world.otherDealer)
  await database.rows('update webhooks set failing_since = now(), last_attempt_at = now() where id = $1', [
    hook.id,
  ])
  for (let i = 0; i < 12; i++) await lead(world.otherDealer)
  await handOutAll(hook.installerId)
  let underWay = 0
  let most = 0
  let calls = 0
  const widths: number[] = []
  receiver.behave(hook.path, (response) => {
    most = Math.max(most, ++underWay)
    widths.push(most)
    const status = ++calls <= 3 ? 500 : 200
    setTimeout(() => {
      underWay--
      response.writeHead(status).end()
    }, 20)
  })
  await lanesOf([0.05]).deliver(hook.installerId, hook.id)
  assert.deepEqual(widths.slice(0, 4), [1, 1, 1, 1])
  assert.ok(most > 1 && most <= 8, `${most} at once`)
  assert.equal((await rows(hook.id)).filter((row) => row.state === 'delivered').length, 12)
})

test('what nobody is delivering is woken; what somebody is, is not', async () => {
  const hook = await register(world.sister)
  await lead(world.sister)
  await handOutAll(hook.installerId)
  const jobs = () =>
    database.rows(`select key from graphile_worker.jobs where key = $1`, [`deliver:${hook.id}`])
  await database.rows('delete from graphile_worker._private_jobs')
  await wakeOverdue(db, new Date(), [hook.id])
  assert.deepEqual(await jobs(), [])
  await wakeOverdue(db, new Date(), [])
  assert.equal((await jobs()).length, 1)
  await lead(world.sister)
  await database.rows('delete from graphile_worker._private_jobs')
  await wakeOverdue(db, new Date(), [])
  const behind = await database.rows(
    `select key from graphile_worker.jobs where task_identifier = 'hand-out-events'`,
  )
  assert.deepEqual(behind, [{ key: `hand-out:${world.installer.company.id}` }])
})

test('deliveries are removed 30 days after they are done, deleted endpoints with all of theirs', async () => {
  const of = world.other
  const [kept, deleted] = [await register(of), await register(of)]
  await lead(of)
  await handOutAll(of.company.id)
  await lanesOf().deliver(of.company.id, kept.id)
  const count = async (table: string) =>
    (
      await database.rows<{ n: number }>(`select count(*) as n from ${table} where installer_id = $1`, [
        of.company.id,
      ])
    )[0]!.n
  const before = { messages: await count('webhook_messages'), deliveries: (await rows(kept.id)).length }
  const never = new AbortController().signal
  const days = (n: number) => new Date(Date.now() + n * 86_400_000)
  await sweepWebhooks(db, days(29), never)
  assert.equal((await rows(kept.id)).length, before.deliveries)
  assert.equal(await count('webhook_messages'), before.messages)
  await deleteWebhook(of.as(), { cut: () => {} }, deleted.id)
  await sweepWebhooks(db, new Date(), never)
  assert.deepEqual(await rows(deleted.id), [])
  assert.equal((await rows(kept.id)).length, before.deliveries)

  // What is due to an endpoint that is enabled is kept however old it is.
  await lead(of)
  await handOutAll(of.company.id)
  await sweepWebhooks(db, days(31), never)
  assert.deepEqual(
    (await rows(kept.id)).map((row) => row.state),
    ['due'],
  )
  assert.equal(await count('webhook_messages'), 1)
  const left = await database.rows('select id from webhooks where id = any($1)', [[kept.id, deleted.id]])
  assert.deepEqual(left, [{ id: kept.id }])
})
