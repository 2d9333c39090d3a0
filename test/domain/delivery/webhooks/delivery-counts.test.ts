import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countDeliveries } from '../../../../src/domain/delivery/webhooks/delivery-counts.ts'
import {
  insertSettled,
  listDeliveries,
  type Result,
  settleDeliveries,
} from '../../../../src/domain/delivery/webhooks/delivery-queries.ts'
import { enableWebhook } from '../../../../src/domain/delivery/webhooks/enable-webhook.ts'
import { redeliver } from '../../../../src/domain/delivery/webhooks/redeliver.ts'
import { rewriteMessages } from '../../../../src/domain/delivery/webhooks/rewrite-messages.ts'
import { deliveryStates } from '../../../../src/domain/delivery/webhooks/sent-queries.ts'
import { sweepWebhooks } from '../../../../src/domain/delivery/webhooks/sweep-webhooks.ts'
import { listWrongDeliveries } from '../../../../src/domain/delivery/webhooks/wrong-deliveries.ts'
import { createStartedPages } from '../../../../src/domain/kernel/page-starts.ts'
import { webhookUpkeep } from '../../../../src/jobs/webhooks.ts'
import { workLimits } from '../../../../src/platform/database-limits.ts'
import { type Db, openDatabase } from '../../../../src/platform/db.ts'
import { newId } from '../../../../src/platform/ids.ts'
import { oneServerOnly } from '../../../support/citus.ts'
import { createTestDatabase } from '../../../support/database.ts'
import { type RegisteredWebhook, startDeliverySetup } from '../../../support/delivery-workers.ts'
import { createWorld, lead } from '../../../support/factories.ts'
import { untilWaiting } from '../../../support/lock-waits.ts'

const database = await createTestDatabase()
const { db, rows } = database
const { receiver, register, workers, dispatchAll, deliveries } = await startDeliverySetup(database)
const { installer, dealer } = await createWorld(db)
const never = new AbortController().signal
const startedPage = createStartedPages()

/** What the list says: due, delivered, failed, and all. */
const totals = ({ installerId, id: webhookId }: RegisteredWebhook) =>
  Promise.all(
    [...deliveryStates, 'any' as const].map(
      async (state) =>
        (await listDeliveries(db, startedPage, { installerId, webhookId, state, perPage: 1, before: 0 }))
          .total,
    ),
  )

/** What is kept, where it is taken for right; else null. */
async function kept({ id }: RegisteredWebhook): Promise<number[] | null> {
  const [row] = await rows<{ trusted: boolean; counts: number[] }>(
    `select counted_at = coalesce(last_attempt_at, '-infinity') as trusted,
       array[deliveries_due, deliveries_delivered, deliveries_failed] as counts from webhooks where id = $1`,
    [id],
  )
  return row!.trusted ? row!.counts.map(Number) : null
}

/** The list and what is kept say how many are really in each state. */
async function has(hook: RegisteredWebhook, counts: [due: number, delivered: number, failed: number]) {
  const all = await deliveries(hook)
  assert.deepEqual(
    deliveryStates.map((one) => all.filter(({ state }) => state === one).length),
    counts,
  )
  assert.deepEqual(await kept(hook), counts)
  assert.deepEqual(await totals(hook), [...counts, all.length])
}

const wrongDeliveries = (installerId: string) =>
  listWrongDeliveries(db, installerId, (read) => db.transaction(read, 'repeatable read'))

const result = (id: string, state: Result['state'], at = new Date()): Result => ({
  message: {
    ...{
      id,
      number: null,
      at,
      ordinal: 0,
      forDealer: false,
      type: 'lead.created',
      subjectId: null,
      tries: 0,
    },
    body: '{}',
  },
  state,
  nextAttemptAt: new Date(at.getTime() + 3_600_000),
  attempt: { at: at.toISOString(), duration_ms: 1, status: 200, error: null, answer: null },
})

const settle = (
  { installerId, id }: RegisteredWebhook,
  results: Result[],
  tx: Db = db,
  signal: AbortSignal = never,
) => {
  const now = new Date()
  const to = { installerId, webhookId: id }
  return settleDeliveries(tx, to, results, { place: null, now, quietSince: now, signal })
}

const clock = async () => (await rows<{ at: Date }>('select clock_timestamp() as at'))[0]!.at

/** Waits until somebody has tried to settle since: it is done, found the endpoint held, or waits for a delivery. */
async function untilTried(since: Date): Promise<void> {
  const tried = `select from pg_stat_activity where datname = current_database() and query_start > $1
    and query like '%insert into webhook_deliveries as d %' and (state = 'idle' or wait_event_type = 'Lock')
    and pid <> pg_backend_pid()`
  while ((await rows(tried, [since])).length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
}

/** Deliveries of long ago. */
const fill = ({ installerId, id }: RegisteredWebhook, count: number) =>
  rows(
    `insert into webhook_deliveries (installer_id, webhook_id, id, event_at, event_ordinal, for_dealer, type, state, tries,
       next_attempt_at, created_at)
     select $1, $2, $2 || '_' || n, '2025-01-01'::timestamptz + n * interval '1 ms', 0, false, 'lead.created', 'delivered', 1,
       '2025-01-02', '2025-01-01' from generate_series(1, $3::int) n`,
    [installerId, id, count],
  )

test('whatever is done with deliveries, how many are in each state is kept', async () => {
  const hook = await register(installer)
  const { installerId, id } = hook
  await has(hook, [0, 0, 0])
  receiver.behave(hook.path, (response) => response.writeHead(500).end())
  for (let i = 0; i < 3; i++) await lead(installer)
  await dispatchAll(installerId)
  await workers({ waitsSeconds: [3_600] }).deliver(installerId, id)
  await has(hook, [3, 0, 0])
  const [first, second] = await deliveries(hook)
  await redeliver(installer.as(), id, { deliveryId: first!.id })
  await has(hook, [3, 0, 0])
  await workers().deliver(installerId, id)
  await has(hook, [2, 0, 1])
  receiver.behave(hook.path, (response) => response.writeHead(200).end())
  const since = new Date(Date.now() - 3_600_000)
  const until = new Date(Date.now() + 3_600_000)
  assert.equal(await redeliver(installer.as(), id, { since, until }), 3)
  await has(hook, [3, 0, 0])
  await workers().deliver(installerId, id)
  await has(hook, [0, 3, 0])
  await redeliver(installer.as(), id, { deliveryId: second!.id })
  await has(hook, [1, 2, 0])
  await assert.rejects(redeliver(installer.as(), id, { deliveryId: newId('dlv') }))
  await has(hook, [1, 2, 0])

  // After a crash one is sent again, whatever it was: what was delivered stays so.
  await settle(hook, [result(first!.id, 'failed'), result(second!.id, 'failed'), result(newId('dlv'), 'due')])
  await has(hook, [1, 2, 1])
  const at = new Date()
  for (const state of ['delivered', 'failed'] as const)
    await insertSettled(db, {
      ...{ installerId, webhookId: id, id: newId('dlv'), at, ordinal: state === 'failed' ? -1 : -2 },
      ...{ type: 'webhook.test', body: '{}', state, attempts: '[]' },
    })
  await has(hook, [1, 3, 2])

  const days = (n: number) => new Date(Date.now() + n * 86_400_000)
  await sweepWebhooks(db, days(31), never)
  await has(hook, [1, 0, 0])
  await rows(`update webhooks set status = 'disabled' where id = $1`, [id])
  await sweepWebhooks(db, days(31), never)
  await has(hook, [0, 0, 0])
  assert.deepEqual(await wrongDeliveries(installerId), [])
})

test('what is kept is what the list says; beside the version before it is counted, until it is kept again', async () => {
  const hook = await register(dealer)
  const { installerId, id } = hook
  await settle(hook, [result(newId('dlv'), 'delivered'), result(newId('dlv'), 'failed')])
  await rows('update webhooks set deliveries_failed = 7 where id = $1', [id])
  assert.deepEqual(await totals(hook), [0, 1, 7, 8])
  assert.deepEqual(await wrongDeliveries(installerId), [
    { webhookId: id, kept: '0 due 1 delivered 7 failed', counted: '0 due 1 delivered 1 failed' },
  ])

  // As the version before settles.
  await rows(
    `with settled as (
       insert into webhook_deliveries (installer_id, webhook_id, id, event_at, event_ordinal, for_dealer, type, state, tries,
         next_attempt_at, created_at)
       values ($1, $2, $3, now(), 0, false, 'lead.created', 'delivered', 1, now(), now())
     ) update webhooks set last_attempt_at = '2026-01-01' where installer_id = $1 and id = $2`,
    [installerId, id, newId('dlv')],
  )
  assert.equal(await kept(hook), null)
  assert.deepEqual(await totals(hook), [0, 2, 1, 3])
  assert.deepEqual(await wrongDeliveries(installerId), [], 'nobody goes by it')
  await settle(hook, [result(newId('dlv'), 'due')])
  assert.equal(await kept(hook), null)
  assert.deepEqual(await totals(hook), [1, 2, 1, 4])
  await sweepWebhooks(db, new Date(), never)
  await has(hook, [1, 2, 1])
  await settle(hook, [result(newId('dlv'), 'due')])
  await has(hook, [2, 2, 1])

  // One that the version before made, and that nothing was sent to so far.
  await rows('update webhooks set counted_at = null, last_attempt_at = null where id = $1', [id])
  assert.equal(await kept(hook), null)
  assert.deepEqual(await totals(hook), [2, 2, 1, 5])
})

test('a new leader counts all of them, and once more, as what the version before sends again shows nowhere', async () => {
  const hook = await register(dealer)
  await settle(hook, [result(newId('dlv'), 'delivered')])
  const sweep = webhookUpkeep(db, workers()).find(({ name }) => name === 'sweep webhooks')!
  const spoil = () => rows('update webhooks set deliveries_delivered = 9 where id = $1', [hook.id])
  for (const counts of [
    [0, 1, 0],
    [0, 1, 0],
    [0, 9, 0],
  ]) {
    await spoil()
    await sweep.run(never)
    assert.deepEqual(await kept(hook), counts)
  }
})

test('what is right is compared, and idle endpoints go on in the log, without waiting for who writes to another', async () => {
  const hook = await register(installer)
  const idle = await register(installer, ['invoice.paid'])
  await lead(installer)
  await settle(hook, [result(newId('dlv'), 'delivered')])
  await db.transaction(async (tx) => {
    await settle(hook, [result(newId('dlv'), 'failed')], tx)
    await sweepWebhooks(db, new Date(), never, { compareAll: true })
  })
  const places = await rows<{ moved: boolean }>(
    `select w.place = c.messages as moved from webhooks w join tenant_clocks c using (installer_id)
     where w.id = any($1) order by array_position($1, w.id)`,
    [[idle.id, hook.id]],
  )
  assert.deepEqual(
    places.map(({ moved }) => moved),
    [true, false],
  )
  await has(hook, [0, 1, 1])
})

test('many are compared part by part, also where a part ends among those of one moment', async () => {
  const hook = await register(dealer)
  const { installerId, id } = hook
  // Seven at a time: parts of 5,000 end within one.
  await rows(
    `insert into webhook_deliveries (installer_id, webhook_id, id, event_at, event_ordinal, for_dealer, type, state, tries,
       next_attempt_at, created_at)
     select $1, $2, $2 || '_' || n, '2026-01-01'::timestamptz + n / 7 * interval '1 ms', n % 7, false, 'lead.created',
       case when n % 2 = 0 then 'failed' when n % 3 = 0 then 'due' else 'delivered' end, 1, now(), now()
     from generate_series(1, 25000) n`,
    [installerId, id],
  )
  await countDeliveries(db, { installerId, webhookId: id })
  assert.deepEqual(await totals(hook), [4_167, 8_333, 12_500, 25_000])
  assert.deepEqual(await wrongDeliveries(installerId), [])
  await rows(`delete from webhook_deliveries where id = any($1)`, [[`${id}_9998`, `${id}_24999`]])
  assert.deepEqual(await wrongDeliveries(installerId), [
    {
      webhookId: id,
      kept: '4167 due 8333 delivered 12500 failed',
      counted: '4166 due 8333 delivered 12499 failed',
    },
  ])
  await sweepWebhooks(db, new Date('2026-01-02'), never, { compareAll: true })
  assert.deepEqual(await totals(hook), [4_166, 8_333, 12_499, 24_998])
})

test('fewer than none, after the version before sent some again, is counted, and the next sweep mends it', async () => {
  const hook = await register(installer)
  const some = [result(newId('dlv'), 'failed'), result(newId('dlv'), 'failed')]
  await settle(hook, some)
  await rows(`update webhook_deliveries set state = 'due', tries = 0 where webhook_id = $1`, [hook.id])
  await settle(
    hook,
    some.map(({ message }) => ({ ...result(message.id, 'delivered'), message })),
  )
  assert.deepEqual(await totals(hook), [0, 2, 0, 2])
  await sweepWebhooks(db, new Date(), never)
  await has(hook, [0, 2, 0])
})

test('a page is what it is by its number, whatever was read and changed before', async () => {
  const hook = await register(installer)
  const { installerId, id: webhookId } = hook
  const at = (minutes: number) => new Date(Date.now() + minutes * 60_000)
  const ids = async (state: Result['state'] | 'any', before: number, perPage: number) => {
    const wanted = { installerId, webhookId, state, before, perPage }
    const { records } = await listDeliveries(db, startedPage, wanted)
    return (JSON.parse(`[${records}]`) as { id: string }[]).map(({ id }) => id)
  }
  const all: Result[] = []
  const pagesAreRight = async () => {
    for (const state of ['any', ...deliveryStates] as const) {
      const wanted = all.filter((one) => state === 'any' || one.state === state).toReversed()
      for (const perPage of [3, 2])
        for (const before of [6, 12, 6, 4, 0, 40])
          assert.deepEqual(
            await ids(state, before, perPage),
            wanted.slice(before, before + perPage).map(({ message }) => message.id),
          )
    }
  }
  const add = async (state: Result['state']) => {
    const one = result(newId('dlv'), state, at(all.length - 1_000))
    all.push(one)
    await settle(hook, [one])
  }
  for (let i = 0; i < 18; i++) await add(deliveryStates[i % 3]!)
  await pagesAreRight()
  await add('failed')
  await pagesAreRight()

  // As many of each state as before, and others: one that was delivered is sent again, and one that was due delivered.
  const delivered = all.findLast(({ state }) => state === 'delivered')!
  const due = all.find(({ state }) => state === 'due')!
  await redeliver(installer.as(), webhookId, { deliveryId: delivered.message.id })
  delivered.state = 'due'
  due.state = 'delivered'
  await settle(hook, [due])
  await pagesAreRight()

  // As the version before writes: it says nothing of what has changed.
  await rows(`delete from webhook_deliveries where id = $1`, [all[9]!.message.id])
  await rows(`update webhooks set last_attempt_at = '2026-01-01' where id = $1`, [webhookId])
  all.splice(9, 1)
  await sweepWebhooks(db, new Date(), never)
  await pagesAreRight()
  await rows(`update webhooks set last_attempt_at = '2026-01-02' where id = $1`, [webhookId])
  await pagesAreRight()
})

test('whoever settles while others hold the endpoint comes after them, and keeps no other company waiting', async () => {
  const hook = await register(installer)
  const theirs = await register(dealer)
  const [same, own] = [newId('dlv'), newId('dlv')]
  let hasEnded = false
  let all: Promise<unknown> | undefined
  await db.transaction(async (tx) => {
    await settle(hook, [result(same, 'due')], tx)
    // More than there are connections for what may be lost.
    const waiting = Array.from({ length: 5 }, () =>
      settle(hook, [result(same, 'delivered'), result(own, 'failed')]),
    )
    all = Promise.all(waiting).then(() => {
      hasEnded = true
    })
    for (let i = 0; i < 5; i++) await settle(theirs, [result(newId('dlv'), 'delivered')])
    assert.equal(hasEnded, false)
  })
  await all
  await has(hook, [0, 1, 1])
  await has(theirs, [0, 5, 0])
})

test('whoever settles while they are counted is counted once', { skip: oneServerOnly() }, async () => {
  const hook = await register(installer)
  const to = { installerId: hook.installerId, webhookId: hook.id }
  let counting: Promise<unknown> | undefined
  await db.transaction(async (tx) => {
    await settle(hook, [result(newId('dlv'), 'delivered')], tx)
    counting = db.transaction((other) => countDeliveries(other, to))
    await untilWaiting(rows, [counting])
  })
  await counting
  await has(hook, [0, 1, 0])
  let settling: Promise<unknown> | undefined
  await db.transaction(async (tx) => {
    await countDeliveries(tx, to)
    const began = await clock()
    settling = settle(hook, [result(newId('dlv'), 'failed')])
    await untilTried(began)
  })
  await settling
  await has(hook, [0, 1, 1])
})

test('what was settled is given up with its worker', async () => {
  const hook = await register(installer)
  const cutting = new AbortController()
  await db.transaction(async (tx) => {
    await countDeliveries(tx, { installerId: hook.installerId, webhookId: hook.id })
    const settling = settle(hook, [result(newId('dlv'), 'delivered')], db, cutting.signal)
    cutting.abort()
    await assert.rejects(settling, { name: 'AbortError' })
  })
  await has(hook, [0, 0, 0])
})

test('two who write the same deliveries in other orders wait for each other, and both are done', {
  skip: oneServerOnly(),
}, async () => {
  const hook = await register(installer)
  const { installerId, id } = hook
  const at = new Date(Date.now() - 3_600_000)
  const ids = Array.from({ length: 5 }, () => newId('dlv'))
  const all = (state: Result['state'], order = ids) => order.map((one) => result(one, state, at))
  const until = new Date()
  const since = new Date(at.getTime() - 1)
  const others: Record<string, () => Promise<unknown>> = {
    settles: () => settle(hook, all('due')),
    redelivers: () => redeliver(installer.as(), id, { since, until }),
    enables: async () => {
      await rows(`update webhooks set status = 'disabled' where id = $1`, [id])
      await enableWebhook(installer.as(), id)
    },
    erases: () =>
      db.transaction(async (tx) => {
        const message = { at, forDealer: false, start: '{', fields: '}', head: null }
        await rewriteMessages(tx, installerId, [{ ...message, ordinal: 0 }])
      }),
  }
  for (const other of Object.values(others)) {
    for (const order of [ids, ids.toReversed()]) {
      await settle(hook, all('due'))
      const both: Promise<unknown>[] = []
      // Both come as far as the one in the middle, and hold what they wrote before it.
      await db.transaction(async (tx) => {
        const held = 'select from webhook_deliveries where installer_id = $1 and id = $2 for update'
        await tx.query({ text: held }, [installerId, ids[2]])
        both.push(other())
        await untilWaiting(rows, both)
        const began = await clock()
        both.push(settle(hook, all('due', order)))
        await untilTried(began)
      })
      await Promise.all(both)
    }
  }
  await has(hook, [5, 0, 0])
})

test('an eraser holds only endpoints that were told of it', { skip: oneServerOnly() }, async () => {
  const [told, busy] = [await register(installer), await register(installer)]
  const at = new Date(Date.now() - 3_600_000)
  await settle(told, [result(newId('dlv'), 'delivered', at)])
  const { installerId } = told
  await db.transaction(async (tx) => {
    await countDeliveries(tx, { installerId, webhookId: busy.id })
    const message = { at, ordinal: 0, forDealer: false, start: '{', fields: '}', head: null }
    await db.transaction((other) => rewriteMessages(other, installerId, [message]))
  })
})

test('two sweeps at once leave no deliveries without their endpoint', async () => {
  const hook = await register(installer)
  await fill(hook, 12_000)
  await rows('analyze webhook_deliveries')
  await rows(
    `update webhooks set deleted_at = now() - interval '2 hours', status = 'disabled' where id = $1`,
    [hook.id],
  )
  await Promise.all([sweepWebhooks(db, new Date(), never), sweepWebhooks(db, new Date(), never)])
  await sweepWebhooks(db, new Date(), never)
  assert.deepEqual(await deliveries(hook), [])
  assert.deepEqual(await rows('select from webhooks where id = $1', [hook.id]), [])
})

test('an endpoint whose deliveries cannot be counted keeps no other from being swept', {
  skip: oneServerOnly(),
}, async (t) => {
  const hooks = [await register(installer), await register(dealer)].toSorted((a, b) =>
    a.installerId + a.id < b.installerId + b.id ? -1 : 1,
  )
  const [first, second] = hooks as [RegisteredWebhook, RegisteredWebhook]
  await rows('update webhooks set counted_at = null where id = $1', [first.id])
  await fill(second, 3)
  const hurried = openDatabase(database.url, () => {}, { ...workLimits, statementMs: 4_000 })
  t.after(() => hurried.close())
  await db.transaction(async (tx) => {
    await tx.query({ text: 'select from webhooks where id = $1 for update' }, [first.id])
    await assert.rejects(sweepWebhooks(hurried, new Date(), never), /statement timeout/)
  })
  assert.deepEqual(await deliveries(second), [])
  await sweepWebhooks(db, new Date(), never)
  await has(first, [0, 0, 0])
})
