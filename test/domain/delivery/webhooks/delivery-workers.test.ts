import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { enableWebhook } from '../../../../src/domain/delivery/webhooks/enable-webhook.ts'
import { movePlaces, wakeOverdue } from '../../../../src/domain/delivery/webhooks/log-queries.ts'
import { DatabaseUnavailable } from '../../../../src/platform/database-errors.ts'
import type { Database, Statement } from '../../../../src/platform/db.ts'
import { createTestDatabase } from '../../../support/database.ts'
import { type RegisteredWebhook, startDeliverySetup } from '../../../support/delivery-workers.ts'
import { type Actors, createWorld, lead } from '../../../support/factories.ts'

const database = await createTestDatabase()
const { db } = database
const { receiver, register, workers: workersOf, dispatchAll, deliveries } = await startDeliverySetup(database)

/** A tenant of its own for each test: what one leaves behind is not in another's log. */
async function tenant(): Promise<Actors> {
  return (await createWorld(db)).installer
}

async function leads(of: Actors, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let i = 0; i < count; i++) ids.push(await lead(of))
  await dispatchAll(of.company.id)
  return ids
}

const told = (hook: RegisteredWebhook) => receiver.at(hook.path).map((one) => one.message.data.id)
const failing = (hook: RegisteredWebhook) =>
  database.rows('update webhooks set failing_since = now(), last_attempt_at = now() where id = $1', [hook.id])
const place = async (hook: RegisteredWebhook) =>
  (await database.rows<{ place: number }>('select place from webhooks where id = $1', [hook.id]))[0]!.place

// Within it a call must arrive, on a busy machine too: the tests wait for its end.
const timeLimitMs = 1_500

test('an endpoint that takes longer than the time limit has failed, and its connection is closed', async () => {
  const of = await tenant()
  const hook = await register(of)
  const closed = Promise.withResolvers<void>()
  receiver.behave(hook.path, (response) => response.on('close', () => closed.resolve()))
  await leads(of, 1)
  await workersOf({ timeLimitMs }).deliver(of.company.id, hook.id)
  await closed.promise
  const [{ state, attempts }] = (await deliveries(hook)) as [Awaited<ReturnType<typeof deliveries>>[number]]
  assert.deepEqual([state, attempts.length, attempts[0]!.status], ['failed', 1, null])
  assert.match(attempts[0]!.error!, /took longer than 1\.5 seconds/)
})

test('the time limit also ends an answer that never ends; its status counts', async () => {
  const of = await tenant()
  const hook = await register(of)
  receiver.behave(hook.path, (response) => response.writeHead(200).write('slow'))
  await leads(of, 1)
  await workersOf({ timeLimitMs }).deliver(of.company.id, hook.id)
  const [delivery] = await deliveries(hook)
  assert.deepEqual([delivery!.state, delivery!.attempts[0]!.status], ['delivered', 200])
})

test('of ten endpoints one is dead: the other nine are told everything meanwhile', async () => {
  const of = await tenant()
  const hooks = await Promise.all(Array.from({ length: 10 }, () => register(of)))
  const [dead, ...alive] = hooks as [RegisteredWebhook, ...RegisteredWebhook[]]
  receiver.behave(dead.path, () => {})
  const ids = await leads(of, 60)
  const workers = workersOf()
  const running = hooks.map((hook) => workers.deliver(of.company.id, hook.id))
  for (const hook of alive) await receiver.arrived(hook.path, ids.length)
  for (const hook of alive) assert.deepEqual(told(hook).toSorted(), ids.toSorted())
  assert.ok(receiver.at(dead.path).length <= 8, 'no more than a few are under way to the dead one')
  assert.deepEqual(await deliveries(dead), [])
  await workers.stop(0)
  await Promise.all(running)
})

test('no more than so many endpoints that fail have a worker at once; who works has one always', async () => {
  const of = await tenant()
  const bad = await Promise.all([register(of), register(of), register(of)])
  const good = await register(of)
  const held: ServerResponse[] = []
  for (const hook of bad) {
    receiver.behave(hook.path, (response) => void held.push(response))
    await failing(hook)
  }
  await leads(of, 3)
  const workers = workersOf({ maxFailing: 2 })
  const running = bad.slice(0, 2).map((hook) => workers.deliver(of.company.id, hook.id))
  for (const hook of bad.slice(0, 2)) await receiver.arrived(hook.path, 1)

  await workers.deliver(of.company.id, bad[2]!.id)
  assert.deepEqual(receiver.at(bad[2]!.path), [])
  const jobs = await database.rows<{ later: boolean }>(
    'select run_at > now() as later from graphile_worker.jobs where key = $1',
    [`retry:${bad[2]!.id}`],
  )
  assert.deepEqual(jobs, [{ later: true }])
  await workers.deliver(of.company.id, good.id)
  assert.equal(receiver.at(good.path).length, 3)

  for (const hook of bad) receiver.behave(hook.path, (response) => response.writeHead(204).end())
  for (const response of held) response.writeHead(204).end()
  await Promise.all(running)
  await workers.deliver(of.company.id, bad[2]!.id)
  for (const hook of bad) assert.equal(receiver.at(hook.path).length, 3)
})

test('what was under way when the server died is sent again under its id, and nothing else is', async () => {
  const of = await tenant()
  const hook = await register(of)
  const ids = await leads(of, 40)
  let isHeld = false
  receiver.behave(hook.path, (response, { message }) => {
    if (isHeld || message.data.id !== ids[0]) response.writeHead(204).end()
    else isHeld = true
  })
  const dying = workersOf()
  const running = dying.deliver(of.company.id, hook.id)
  // All but the first are written down, and its place is still before them.
  await receiver.arrived(hook.path, 40)
  while ((await deliveries(hook)).length < 39);
  assert.equal(await place(hook), 0)
  await dying.stop(0)
  await running

  await workersOf().deliver(of.company.id, hook.id)
  assert.deepEqual(told(hook).slice(40), [ids[0]])
  assert.equal(new Set(receiver.at(hook.path).map((one) => one.id)).size, 40)
  const states = (await deliveries(hook)).map((delivery) => [delivery.state, delivery.attempts.length])
  assert.deepEqual(
    states,
    ids.map(() => ['delivered', 1]),
  )
})

test('two servers at one endpoint: all arrives under one id each, and both attempts are kept', async () => {
  const of = await tenant()
  const hook = await register(of)
  const ids = await leads(of, 20)
  await Promise.all([workersOf(), workersOf()].map((workers) => workers.deliver(of.company.id, hook.id)))
  assert.deepEqual([...new Set(told(hook))].toSorted(), ids.toSorted())
  assert.equal(new Set(receiver.at(hook.path).map((one) => one.id)).size, 20)
  const kept = await deliveries(hook)
  assert.ok(kept.every(({ state }) => state === 'delivered'))
  const attempts = kept.reduce((sum, delivery) => sum + delivery.attempts.length, 0)
  assert.equal(attempts, receiver.at(hook.path).length)
})

test('what waited in the log when an endpoint was disabled and what happened between is sent once it is enabled', async () => {
  const of = await tenant()
  const hook = await register(of)
  const listener = await register(of)
  await failing(hook)
  receiver.behave(hook.path, (response) => response.writeHead(410).end())
  const before = await leads(of, 3)
  await workersOf({ waitsSeconds: [60] }).deliver(of.company.id, hook.id)
  assert.deepEqual(told(hook), before.slice(0, 1))
  const between = await leads(of, 2)
  receiver.behave(hook.path, (response) => response.writeHead(204).end())
  await enableWebhook(of.as(), hook.id)
  const afterwards = await leads(of, 2)
  await workersOf().deliver(of.company.id, hook.id)
  // What waited comes one by one; what came afterwards goes out beside it and each other.
  const sent = told(hook).slice(1)
  assert.deepEqual(
    sent.filter((id) => !afterwards.includes(id)),
    [...before, ...between],
  )
  assert.deepEqual(sent.toSorted(), [...before, ...between, ...afterwards].toSorted())
  await workersOf().deliver(of.company.id, listener.id)
  assert.deepEqual(told(listener).toSorted(), [...before, ...between, ...afterwards].toSorted())
})

test('an endpoint that hears of little goes on in the log without being sent anything', async () => {
  const of = await tenant()
  const [busy, idle] = [await register(of), await register(of, ['invoice.paid'])]
  await leads(of, 3)
  await movePlaces(db)
  assert.deepEqual([await place(busy), await place(idle)], [0, 3])
  await wakeOverdue(db, new Date(), [])
  const jobs = await database.rows('select key from graphile_worker.jobs where key = any($1)', [
    [busy, idle].map(({ id }) => `deliver:${id}`),
  ])
  assert.deepEqual(jobs, [{ key: `deliver:${busy.id}` }])
  await workersOf().deliver(of.company.id, busy.id)
  assert.equal(await place(busy), 3)
})

test('what is told of while a worker is taking up goes out beside what waits for a slow endpoint', async () => {
  const of = await tenant()
  const hook = await register(of)
  const held: ServerResponse[] = []
  receiver.behave(hook.path, (response) => void held.push(response))
  const [first] = await leads(of, 1)
  let second = ''
  let nudged = Promise.resolve()
  // The look has found the first only, when it is told of the second.
  const looking: Database = {
    ...db,
    async query<Row extends object>(statement: Statement, values: readonly unknown[]) {
      const rows = await db.query<Row>(statement, values)
      if (statement.text.includes("'readTo'") && second === '') {
        ;[second] = (await leads(of, 1)) as [string]
        nudged = workers.deliver(of.company.id, hook.id)
      }
      return rows
    },
  }
  const workers = workersOf({ db: looking })
  const running = workers.deliver(of.company.id, hook.id)
  // Before the first is given up.
  await receiver.arrived(hook.path, 2, 10_000)
  assert.deepEqual(told(hook).toSorted(), [first, second].toSorted())
  for (const response of held) response.writeHead(204).end()
  await Promise.all([running, nudged])
})

test('an endpoint that is enabled again while its worker still ends is told at once, and not by the upkeep', async () => {
  const of = await tenant()
  const hook = await register(of)
  const { promise: held, resolve: hold } = Promise.withResolvers<ServerResponse>()
  receiver.behave(hook.path, (response) => hold(response))
  await leads(of, 1)
  const workers = workersOf()
  const first = workers.deliver(of.company.id, hook.id)
  const response = await held
  await database.rows(`update webhooks set status = 'disabled' where id = $1`, [hook.id])
  // It looks, finds that it is disabled, and waits for the one that is under way.
  const noticed = workers.deliver(of.company.id, hook.id)
  for (let release = workers.hold(hook.id); release; release = workers.hold(hook.id)) {
    release()
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  receiver.behave(hook.path, (answer) => answer.writeHead(204).end())
  await database.rows(`update webhooks set status = 'enabled' where id = $1`, [hook.id])
  const [id] = await leads(of, 1)
  const again = workers.deliver(of.company.id, hook.id)
  response.writeHead(204).end()
  await Promise.all([first, noticed, again])
  assert.equal(told(hook).at(-1), id)
})

test('where a worker fails, who came for it meanwhile delivers what it left', async () => {
  const of = await tenant()
  const hook = await register(of)
  const [id] = await leads(of, 1)
  let second: Promise<void> | null = null
  // The queue does a job again only where no later one has taken its key: here one has, and the first fails after it.
  const failingOnce: Database = {
    ...db,
    async query<Row extends object>(statement: Statement, values: readonly unknown[]) {
      if (statement.text.includes("'readTo'") && second === null) {
        second = workers.deliver(of.company.id, hook.id)
        throw new DatabaseUnavailable('timeout exceeded when trying to connect')
      }
      return db.query<Row>(statement, values)
    },
  }
  const workers = workersOf({ db: failingOnce })
  await assert.rejects(workers.deliver(of.company.id, hook.id), DatabaseUnavailable)
  await second
  assert.deepEqual(told(hook), [id])
})
