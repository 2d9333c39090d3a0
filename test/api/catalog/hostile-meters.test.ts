import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { checkRollUps } from '../../support/energy.ts'
import { invoicesPath } from '../../support/invoices.ts'
import { at, createMeters, dailyTotal, daysOf, sum, sunnyDay } from '../../support/meters.ts'
import { panel } from '../../support/panels.ts'

const meters = await createMeters()
const { app, world, post, sendAll, home, read, monthOf, complete, quarantined, judge, bill, plan } = meters
const { key } = world.installer
const capacity_kw = 0.4

/** What a careless site does in a month: everything in any order. */
type Step =
  | { do: 'send'; panel: number; hours: number[]; kwh: number; backwards: boolean }
  | { do: 'repeat'; panel: number; hour: number; values: number[] }
  | { do: 'release' | 'drop'; at: number }
  | { do: 'zone'; zone: string }
  | { do: 'remove'; panel: number }
  | { do: 'add' }

// Around the change of the clock in both: 8 March and 1 November 2026 in Denver, 29 March in Berlin.
const start = Date.parse('2026-03-06T00:00:00Z')
const hour = fc.nat(24 * 26)
const value = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 500 }).map((n) => n / 1000) },
  fc.constantFrom(0, 0.52, 0.520001, 12.48, 12.480001, 320, 999_999, 1e-6),
)
const panelNo = fc.nat(2)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      panel: panelNo,
      hours: fc.array(hour, { minLength: 1, maxLength: 30 }),
      kwh: value,
      backwards: fc.boolean(),
    }),
  },
  fc.record({
    do: fc.constant('repeat' as const),
    panel: panelNo,
    hour,
    values: fc.array(value, { minLength: 2, maxLength: 4 }),
  }),
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('release' as const, 'drop' as const), at: fc.nat(9) }),
  },
  fc.record({
    do: fc.constant('zone' as const),
    zone: fc.constantFrom('America/Denver', 'Europe/Berlin', 'Pacific/Chatham', 'Asia/Kolkata'),
  }),
  fc.record({ do: fc.constant('remove' as const), panel: panelNo }),
  fc.record({ do: fc.constant('add' as const) }),
)

test('whatever a site sends, corrects, releases, drops, moves and removes: every total is the sum of what counts', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
      const { id, panels } = await home(2)
      const timeOf = (n: number) => new Date(start + n * 3_600_000).toISOString()
      for (const one of steps) {
        if (one.do === 'send') {
          const hours = one.hours.toSorted((a, b) => (one.backwards ? b - a : a - b))
          const own = panels[one.panel % panels.length]!
          await post(hours.map((n) => at(own, timeOf(n), one.kwh)))
        } else if (one.do === 'repeat') {
          const own = panels[one.panel % panels.length]!
          await post(one.values.map((kwh) => at(own, timeOf(one.hour), kwh)))
        } else if (one.do === 'zone') {
          const body = { timezone: one.zone }
          const changed = await app.call('PATCH', `/catalog/v1/installations/${id}`, { key, body })
          assert.equal(changed.status, 200, changed.text)
        } else if (one.do === 'add') {
          panels.push(await panel(app, world.installer, id, { capacity_kw }))
        } else if (one.do === 'remove') {
          if (panels.length < 2) continue
          const [gone] = panels.splice(one.panel % panels.length, 1)
          assert.equal((await app.call('DELETE', `/catalog/v1/panels/${gone}`, { key })).status, 204)
        } else {
          const waiting = await quarantined(id)
          const chosen = waiting[one.at % waiting.length]
          if (chosen) assert.equal((await judge(chosen, one.do)).status, 200)
        }
      }
      await checkRollUps(app.database)
      // What waits is of panels that are there, in no total, and counted rightly (`quarantined` compares both).
      for (const one of await quarantined(id)) assert.ok(panels.includes(one.panel_id))
      const range = { start_date: '2026-03-01', end_date: '2026-04-10' }
      const totals = new Set<number>()
      for (const granularity of ['hourly', 'daily', 'weekly', 'monthly']) {
        const { data, summary } = await read({ installation_id: id, ...range, granularity })
        totals.add(summary.total_kwh)
        assert.equal(Math.round(data.reduce((all, { kwh }) => all + kwh, 0) * 1e6) / 1e6, summary.total_kwh)
        assert.equal(new Set(data.map(({ timestamp }) => timestamp)).size, data.length, 'no bucket twice')
        assert.ok(summary.completeness_percent >= 0 && summary.completeness_percent <= 100)
      }
      assert.equal(totals.size, 1)
    }),
    { numRuns: 20, interruptAfterTimeLimit: 12_000, markInterruptAsFailure: false, endOnFailure: true },
  )
})

test('a meter that counts on and resets, negative, NaN-like and far-off values: none of it is billed', async () => {
  const { id, panel: p } = await home()
  await plan(id)
  const month = daysOf('2026-05').flatMap((day) => sunnyDay(p, day))
  await sendAll(month)
  const before = await monthOf(id, '2026-05')
  // A counter instead of what was made, sent beside it, until the meter is reset.
  let counter = 4000
  const counted = daysOf('2026-05').flatMap((day) =>
    sunnyDay(p, day, { minutes: 60 }).map((one, i) => {
      counter = i === 5 && day === '2026-05-16' ? 0 : counter + one.kwh
      return { ...one, timestamp: one.timestamp.replace(':00:00Z', ':07:00Z'), kwh: counter }
    }),
  )
  const answer = await post(counted)
  assert.ok(answer.accepted <= 10, `${answer.accepted} of a counter were taken for energy`)
  const { rejected } = await post([
    at(p, '2026-05-10T18:00:00Z', -0.1),
    at(p, '2026-05-10T18:00:00Z', -0),
    at(p, '2026-05-10T18:00:00Z', '0.3'),
    at(p, '2026-05-10T18:00:00Z', null),
    at(p, '2026-05-10T18:00:00', 0.3),
    at(p, '1999-12-31T18:00:00Z', 0.3),
    at(p, '2199-12-31T18:00:00Z', 0.3),
    at(p, '2026-02-30T18:00:00Z', 0.3),
    at(p, '2026-05-10T24:00:01Z', 0.3),
    at('pnl_none000000', '2026-05-10T18:00:00Z', 0.3),
  ] as unknown[])
  assert.deepEqual(
    rejected.filter((index: number) => index !== 1),
    [0, 2, 3, 4, 5, 6, 7, 8, 9],
  )
  const after = await monthOf(id, '2026-05')
  assert.ok(after.summary.total_kwh - before.summary.total_kwh < 10, 'at most what a panel can make')
})

test('Wh sent as kWh for half a month holds the month; corrected, it is billed what was made', async () => {
  const { id, panels } = await home(2)
  const [good, bad] = panels as [string, string]
  await plan(id)
  const right = [...daysOf('2026-04'), ...daysOf('2026-05')].flatMap((day) => sunnyDay(good, day))
  const own = [...daysOf('2026-04'), ...daysOf('2026-05')].flatMap((day) => sunnyDay(bad, day))
  const inWh = ({ timestamp }: { timestamp: string }) => timestamp > '2026-05-15'
  await sendAll([...right, ...own.filter((one) => !inWh(one))])
  const wrong = own.filter(inWh).map((one) => ({ ...one, kwh: one.kwh * 1000 }))
  const answer = await post(wrong)
  assert.ok(answer.quarantined > wrong.length * 0.9, JSON.stringify(answer))
  const held = await bill(id, '2026-05')
  assert.equal(held.outcome, 'held')
  assert.match(held.detail!, /quarantined readings wait/)
  await post(own.filter(inWh))
  assert.deepEqual(await quarantined(id), [])
  const drafted = await bill(id, '2026-05')
  const made = sum([...right, ...own].filter(({ timestamp }) => timestamp >= '2026-05-01T06'))
  assert.deepEqual(
    [drafted.outcome, drafted.amountDue],
    ['drafted', (Math.round(made * 0.2 * 100) / 100).toFixed(2)],
  )
})

test('a reading released after its month was finalised is trued up in the next, and one of a plan that ended by a closing', async () => {
  const { id, panel: p } = await home()
  await plan(id)
  await sendAll([...daysOf('2026-05'), ...daysOf('2026-06')].flatMap((day) => sunnyDay(p, day)))
  assert.deepEqual((await post([at(p, '2026-05-20T20:30:00Z', 3)])).quarantined, 1)
  const may = await bill(id, '2026-05')
  const finalized = await app.call('POST', `${invoicesPath}/${may.invoiceId}/finalize`, { key })
  assert.equal(finalized.status, 200, finalized.text)
  const june = await bill(id, '2026-06')
  assert.equal((await judge((await quarantined(id))[0]!, 'release')).status, 200)
  const again = await bill(id, '2026-06')
  assert.equal(again.outcome, 'redrafted')
  assert.equal((Number(again.amountDue) - Number(june.amountDue)).toFixed(2), '0.60')
  assert.deepEqual((await app.get(`${invoicesPath}/${may.invoiceId}`, key)).body, finalized.body)
  assert.equal((await bill(id, '2026-06')).outcome, 'unchanged')
})

test('a logger that goes from hourly to one total a day is held for a while, then complete by its new habit', async () => {
  const { id, panel: p } = await home()
  await plan(id)
  await sendAll([
    ...daysOf('2026-04').flatMap((day) => sunnyDay(p, day)),
    ...daysOf('2026-05').map((day) => dailyTotal(p, day)),
    ...daysOf('2026-06').map((day) => dailyTotal(p, day)),
  ])
  assert.equal((await bill(id, '2026-05')).outcome, 'held')
  assert.equal(await complete(id, '2026-06'), 100)
})

test('panels that come and go in the month are counted for their own days; what they made stays', async () => {
  const { id, panels } = await home(2)
  const [stays, goes] = panels as [string, string]
  await plan(id)
  await sendAll([
    ...[...daysOf('2026-04'), ...daysOf('2026-05')].flatMap((day) => sunnyDay(stays, day)),
    ...[...daysOf('2026-04'), ...daysOf('2026-05').slice(0, 10)].flatMap((day) => sunnyDay(goes, day)),
  ])
  assert.ok((await complete(id, '2026-05')) < 80)
  const body = { status: 'inactive' }
  const out = await app.call('PATCH', `/catalog/v1/panels/${goes}`, { key, body })
  if (out.status === 200)
    assert.equal(await complete(id, '2026-05'), 100, 'out of service since its last reading')
  const total = (await monthOf(id, '2026-05')).summary.total_kwh
  assert.equal((await app.call('DELETE', `/catalog/v1/panels/${goes}`, { key })).status, 204)
  await panel(app, world.installer, id, { capacity_kw, name: 'New today' })
  const { summary } = await monthOf(id, '2026-05')
  assert.equal(summary.total_kwh, total)
  assert.equal((await bill(id, '2026-04')).outcome, 'drafted')
})
