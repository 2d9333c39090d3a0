import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countAgain } from '../../../src/domain/operations/checks/count-again.ts'
import { listWrongCounts } from '../../../src/domain/operations/checks/count-queries.ts'
import { findAlerts } from '../../../src/domain/sites/alerts/find-alerts.ts'
import { countQuarantined } from '../../../src/domain/sites/energy/quarantine-queries.ts'
import { lockInstallations } from '../../../src/domain/sites/energy/reading-queries.ts'
import { oneServerOnly } from '../../support/citus.ts'
import { checkRollUps } from '../../support/energy.ts'
import { invoicesPath } from '../../support/invoices.ts'
import { untilWaiting } from '../../support/lock-waits.ts'
import {
  at,
  createMeters,
  dailyTotal,
  daysOf,
  maxInAnHour,
  only,
  sum,
  sunnyDay,
  zone,
} from '../../support/meters.ts'
import { installation, panel } from '../../support/panels.ts'

const meters = await createMeters()
const { app, world, post, sendAll, home, read, monthOf, quarantined, judge, bill, plan } = meters
const { installer, dealer, sister, other } = world
const { key } = installer
const api = '/catalog/v1/monitoring'
const capacity_kw = 0.4
const hourMs = 3_600_000

test('999,999 kWh in an hour from 0.4 kW is kept and shown, and is in no bucket, total, day or draft', async () => {
  const { id, panel: p } = await home()
  await plan(id)
  const month = daysOf('2026-06').flatMap((day) => sunnyDay(p, day))
  await sendAll(month)
  const before = await monthOf(id, '2026-06')
  const [noon] = month.filter((r) => r.timestamp.startsWith('2026-06-15T18'))
  const late = at(p, '2026-06-30T12:30:00Z', 999_999)
  assert.deepEqual(await post([late]), only({ quarantined: 1 }))
  for (const granularity of ['hourly', 'daily', 'weekly', 'monthly']) {
    const { data, summary } = await monthOf(id, '2026-06', granularity)
    assert.equal(summary.total_kwh, sum(month), granularity)
    assert.ok(
      data.every(({ kwh }) => kwh < 100),
      granularity,
    )
  }
  assert.deepEqual((await monthOf(id, '2026-06')).summary, before.summary)
  const whole = await read({ start_date: '2026-06-01', end_date: '2026-06-30' })
  assert.ok(whole.summary.total_kwh < 1000)
  assert.ok((await app.get(`/catalog/v1/panels/${p}`, key)).body.daily_output_kwh < 10)
  const [kept] = await quarantined(id)
  assert.deepEqual([kept!.panel_id, kept!.timestamp, kept!.kwh], [p, '2026-06-30T12:30:00.000Z', 999_999])
  const drafted = await bill(id, '2026-06')
  assert.equal(drafted.outcome, 'drafted', drafted.detail ?? '')
  assert.equal(drafted.amountDue, (Math.round(sum(month) * 0.2 * 100) / 100).toFixed(2))
  const invoice = (await app.get(`${invoicesPath}/${drafted.invoiceId}`, key)).body
  assert.equal(invoice.line_items[0].quantity, sum(month))

  // What stood at a time stands until a value that can be replaces it: an impossible one does not take its place.
  assert.deepEqual(await post([{ ...noon!, kwh: 4000 }]), only({ quarantined: 1 }))
  assert.equal((await monthOf(id, '2026-06')).summary.total_kwh, sum(month))
})

test('the limit is capacity × 1.3 × interval, to the millionth, at each cadence', async () => {
  for (const [minutes, limit] of [
    [60, maxInAnHour],
    [15, maxInAnHour / 4],
    [5, 0.043333],
    [24 * 60, maxInAnHour * 24],
  ] as const) {
    const { panel: p } = await home()
    const start = Date.parse('2026-05-04T06:00:00Z')
    const step = (n: number) => new Date(start + n * minutes * 60_000).toISOString()
    const before = Array.from({ length: 40 }, (_, i) => at(p, step(i), limit / 3))
    await sendAll(before)
    const results = await post([
      at(p, step(40), limit),
      at(p, step(41), limit - 0.000001),
      at(p, step(42), limit + 0.001),
      at(p, step(43), limit * 10),
      at(p, step(44), limit / 2),
    ])
    assert.deepEqual(results, only({ accepted: 3, quarantined: 2 }), `${minutes} minutes`)
  }
})

test('a quarantined reading is no measure for the ones after it', async () => {
  const { id, panel: p } = await home()
  const hour = (n: number) => new Date(Date.parse('2026-05-04T14:00:00Z') + n * hourMs).toISOString()
  await sendAll([0, 1, 2, 3].map((n) => at(p, hour(n), 0.3)))
  const bad = Array.from({ length: 30 }, (_, n) => at(p, hour(4 + n), 300))
  assert.deepEqual(await post(bad), only({ quarantined: 30 }))
  assert.deepEqual(await post([at(p, hour(34), 0.3)]), only({ accepted: 1 }))
  assert.equal((await monthOf(id, '2026-05')).summary.total_kwh, 1.5)
})

test('the first reading of all: a day’s total is taken, what no day can bring is not', async () => {
  const [a, b, c] = (await home(3)).panels as [string, string, string]
  assert.deepEqual(await post([at(a, '2026-05-04T18:00:00Z', 2.4)]), only({ accepted: 1 }))
  assert.deepEqual(await post([at(b, '2026-05-04T18:00:00Z', 999_999)]), only({ quarantined: 1 }))
  assert.deepEqual(await post([at(b, '2026-05-04T19:00:00Z', 0.3)]), only({ accepted: 1 }))
  assert.deepEqual(await post([at(c, '2026-05-04T18:00:00Z', 0)]), only({ accepted: 1 }))
  // A call that brings its whole past judges each by the others in it, whatever their order.
  const day = sunnyDay(c, '2026-05-06')
  assert.deepEqual(
    await post([...day.toReversed(), at(c, '2026-05-06T12:00:30Z', 50)]),
    only({ accepted: day.length, quarantined: 1 }),
  )
})

test('a gap of three days, then one total that catches up, is plausible; a hundredfold is not', async () => {
  const [a, b] = (await home(2)).panels as [string, string]
  for (const p of [a, b]) await sendAll(['2026-05-04', '2026-05-05'].flatMap((day) => sunnyDay(p, day)))
  assert.deepEqual(await post([at(a, '2026-05-08T23:00:00Z', 7)]), only({ accepted: 1 }))
  assert.deepEqual(await post([at(b, '2026-05-08T23:00:00Z', 700)]), only({ quarantined: 1 }))
  // The next hour is held against an hour again.
  assert.deepEqual(await post([at(a, '2026-05-09T00:00:00Z', 7)]), only({ quarantined: 1 }))
})

test('a change of cadence in mid-month, coarser or finer, quarantines nothing that can be', async () => {
  const [coarser, finer] = (await home(2)).panels as [string, string]
  const days = daysOf('2026-05')
  await sendAll([
    ...days.slice(0, 15).flatMap((day) => sunnyDay(coarser, day, { minutes: 15 })),
    ...days.slice(15).flatMap((day) => sunnyDay(coarser, day, { minutes: 60 })),
    ...days.slice(0, 15).map((day) => dailyTotal(finer, day)),
    ...days.slice(15).flatMap((day) => sunnyDay(finer, day, { minutes: 15 })),
  ])
})

test('out of order, twice, one by one or at once: the same readings end in the same state', async () => {
  const { id, panels } = await home(3)
  const of = (p: string) => [
    ...sunnyDay(p, '2026-05-04'),
    ...sunnyDay(p, '2026-05-05'),
    at(p, '2026-05-05T19:00:00Z', 400),
    at(p, '2026-05-04T19:00:00Z', 400),
  ]
  const [a, b, c] = panels as [string, string, string]
  await post(of(a))
  for (const reading of of(b)) await post([reading])
  // Newest first, everything twice.
  await post(of(c).slice(0, -2).toReversed())
  await post(of(c))
  await post(of(c))
  const totals = await Promise.all(
    panels.map(
      async (p) => (await read({ panel_id: p, start_date: '2026-05-01', end_date: '2026-05-31' })).summary,
    ),
  )
  assert.deepEqual(totals[1], totals[0])
  assert.deepEqual(totals[2], totals[0])
  const kept = await quarantined(id)
  assert.equal(kept.length, 6)
  // Sent again, it is quarantined again and there once.
  assert.deepEqual(await post(of(a).slice(-2)), only({ quarantined: 2 }))
  assert.equal((await quarantined(id)).length, 6)
})

test('a corrected value takes the quarantined one’s place; another impossible one does, too, and stays out', async () => {
  const { id, panel: p } = await home()
  const day = sunnyDay(p, '2026-05-04')
  await sendAll(day)
  const timestamp = '2026-05-05T18:00:00Z'
  assert.deepEqual(await post([at(p, timestamp, 310)]), only({ quarantined: 1 }))
  assert.deepEqual(await post([at(p, timestamp, 3100)]), only({ quarantined: 1 }))
  assert.deepEqual(
    (await quarantined(id)).map(({ kwh }) => kwh),
    [3100],
  )
  assert.equal((await monthOf(id, '2026-05')).summary.total_kwh, sum(day))
  assert.deepEqual(await post([at(p, timestamp, 0.31)]), only({ accepted: 1 }))
  assert.deepEqual(await quarantined(id), [])
  assert.equal((await monthOf(id, '2026-05')).summary.total_kwh, Math.round((sum(day) + 0.31) * 1e6) / 1e6)
  // In one call, the last of a time stands.
  const both = [at(p, '2026-05-05T19:00:00Z', 310), at(p, '2026-05-05T19:00:00Z', 0.2)]
  await post(both)
  assert.deepEqual(await quarantined(id), [])
  await post(both.toReversed())
  assert.equal((await quarantined(id)).length, 1)
})

test('a person releases one, drops another; strangers can do neither, and neither works twice', async () => {
  const { id, panel: p } = await home()
  await sendAll([...sunnyDay(p, '2026-05-04'), at(p, '2026-05-05T17:00:00Z', 0.3)])
  await post([at(p, '2026-05-05T18:00:00Z', 0.9), at(p, '2026-05-05T19:00:00Z', 90)])
  const [first, second] = (await quarantined(id)).toSorted((x, y) => x.timestamp.localeCompare(y.timestamp))
  for (const by of [dealer.key, sister.key, other.key]) {
    assert.equal((await judge(first!, 'release', by)).status, 404)
    assert.equal((await app.get(`${api}/quarantine?installation_id=${id}`, by)).status, 404)
  }
  const before = (await monthOf(id, '2026-05')).summary.total_kwh
  assert.ok((await judge(first!, 'release')).status < 300)
  assert.equal((await monthOf(id, '2026-05')).summary.total_kwh, Math.round((before + 0.9) * 1e6) / 1e6)
  assert.ok((await judge(second!, 'drop')).status < 300)
  assert.deepEqual(await quarantined(id), [])
  assert.equal((await judge(second!, 'release')).status, 404)
  assert.equal((await judge(first!, 'release')).status, 404)
  // What a person released stays released when the logger sends the same once more.
  await post([at(p, '2026-05-05T18:00:00Z', 0.9)])
  assert.deepEqual(await quarantined(id), [])
})

test('an hour ahead is taken, a second more is rejected', async () => {
  const { panel: p } = await home()
  const ahead = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()
  // Ten seconds of room for a slow machine: the server's clock is later than the test's.
  const result = await post([
    at(p, ahead(3590), 0.1),
    at(p, ahead(3600 + 60), 0.1),
    at(p, ahead(86_400), 0.1),
  ])
  assert.deepEqual([result.accepted, result.rejected], [1, [1, 2]])
  const offset = Temporal.Now.instant()
    .add({ hours: 3 })
    .toZonedDateTimeISO('+05:00')
    .toString({ timeZoneName: 'never' })
  assert.deepEqual((await post([at(p, offset, 0.1)])).rejected, [0])
})

test('what is no number is rejected, and never quarantined or taken', async () => {
  const { id, panel: p } = await home()
  const t = '2026-05-04T18:00:00Z'
  const values: unknown[] = ['0.3', 'NaN', null, true, [], {}, -0.001, -999_999, undefined]
  const result = await post(values.map((kwh) => at(p, t, kwh)))
  assert.equal(result.rejected.length, values.length)
  const raw = async (kwh: string) =>
    app.call('POST', `${api}/readings`, {
      key,
      raw: `{"readings":[{"panel_id":"${p}","timestamp":"${t}","kwh":${kwh}}]}`,
      headers: { 'content-type': 'application/json' },
    })
  for (const kwh of ['NaN', 'Infinity', '0x10', '.5']) assert.equal((await raw(kwh)).status, 400, kwh)
  for (const kwh of ['1e400', '-1e-3']) assert.equal((await raw(kwh)).body.rejected.length, 1, kwh)
  assert.equal((await raw('3e-1')).body.accepted, 1)
  assert.equal((await raw('1e-30')).body.accepted, 1)
  assert.equal((await raw('-0')).body.accepted, 1)
  // Impossible but a number: kept for a person, not refused.
  assert.equal((await raw('9.99999e5')).body.quarantined, 1)
  assert.equal((await quarantined(id)).length, 1)
})

test('NDJSON counts the same', async () => {
  const { id, panel: p } = await home()
  const day = sunnyDay(p, '2026-05-04')
  const lines = [...day, at(p, '2026-05-05T18:00:00Z', 999_999), at(p, '2026-05-05T19:00:00Z', 'x')]
  const answer = await app.call('POST', `${api}/readings`, {
    key,
    raw: lines.map((line) => JSON.stringify(line)).join('\n'),
    headers: { 'content-type': 'application/x-ndjson' },
  })
  assert.equal(answer.status, 200, answer.text)
  const { accepted, quarantined: held, rejected } = answer.body
  assert.deepEqual([accepted, held, rejected.length], [day.length, 1, 1])
  assert.equal((await monthOf(id, '2026-05')).summary.total_kwh, sum(day))
})

test('a dealer’s readings, a panel of no capacity and one under maintenance are held against the same rule', async () => {
  const id = await installation(app, dealer, { timezone: zone })
  const p = await panel(app, dealer, id, { capacity_kw })
  assert.deepEqual(await post([at(p, '2026-05-04T18:00:00Z', 5000)], dealer.key), only({ quarantined: 1 }))
  assert.equal((await quarantined(id, dealer.key)).length, 1)
  await app.call('PATCH', `/catalog/v1/panels/${p}`, { key: dealer.key, body: { status: 'maintenance' } })
  assert.deepEqual(await post([at(p, '2026-05-04T19:00:00Z', 5000)], dealer.key), only({ quarantined: 1 }))
  await app.call('DELETE', `/catalog/v1/panels/${p}`, { key: dealer.key })
  assert.deepEqual((await post([at(p, '2026-05-04T20:00:00Z', 0.1)], dealer.key)).rejected, [0])
  // What waited for a person goes with its panel: nothing is left to release.
  assert.deepEqual(await quarantined(id, dealer.key), [])
})

test('who sends Wh as kWh is named as an anomaly: neither silent nor dead, and nor are its neighbours', async () => {
  const { id, panels } = await home(4)
  const [wrong, ...right] = panels as [string, ...string[]]
  const before = daysOf('2026-04')
  await sendAll(panels.flatMap((p) => before.flatMap((day) => sunnyDay(p, day, { nights: true }))))
  for (const day of ['2026-05-01', '2026-05-02', '2026-05-03', '2026-05-04']) {
    await sendAll(right.flatMap((p) => sunnyDay(p, day, { nights: true })))
    await post(sunnyDay(wrong, day, { nights: true }).map((one) => ({ ...one, kwh: one.kwh * 1000 })))
    const next = Temporal.PlainDate.from(day).add({ days: 1 }).toZonedDateTime(zone)
    await findAlerts(app.database.db, installer.company.id, new Date(next.epochMilliseconds))
  }
  const { data } = (await app.get(`${api}/alerts?per_page=100`, key)).body
  const own = data.filter((alert: { installation_id: string }) => alert.installation_id === id)
  assert.deepEqual(
    own.map((alert: { type: string; panel_id: string }) => [alert.type, alert.panel_id]),
    [['anomaly', wrong]],
  )
})

const totalOf = async (by: string) => (await app.get(`${api}/quarantine`, by)).body.meta.total as number
const wrongTotals = async () =>
  (await listWrongCounts(app.database.db, installer.company.id, false)).filter(({ what }) =>
    what.startsWith('quarantine'),
  )

test('how many wait in all follows what is quarantined, corrected, released and dropped, by company', async () => {
  const theirs = await installation(app, dealer, { timezone: zone })
  const p = await panel(app, dealer, theirs, { capacity_kw })
  const { panel: q } = await home()
  const [all, dealers] = [await totalOf(key), await totalOf(dealer.key)]
  const t = (hour: number) => `2026-05-04T${hour}:00:00Z`
  const more = async (inAll: number, ofDealer: number) =>
    assert.deepEqual([await totalOf(key), await totalOf(dealer.key)], [all + inAll, dealers + ofDealer])
  await post([at(p, t(18), 500), at(p, t(19), 500), at(q, t(18), 500), at(q, t(19), 500)])
  await more(4, 2)
  await post([at(p, t(18), 500), at(p, t(19), 600)])
  await more(4, 2)
  await post([at(p, t(18), 0.1)])
  await more(3, 1)
  const [left] = await quarantined(theirs, dealer.key)
  await judge(left!, 'release', dealer.key)
  await more(2, 0)
  await app.call('DELETE', `/catalog/v1/panels/${q}`, { key })
  await more(0, 0)
  await post([at(p, t(20), 500)])
  await app.call('DELETE', `/catalog/v1/installations/${theirs}`, { key: dealer.key })
  await more(0, 0)
  assert.deepEqual(await wrongTotals(), [])
})

test('readings of two companies that go into quarantine at once are all counted, and nobody waits for ever', async () => {
  const pairs: [string, string][] = []
  for (let i = 0; i < 5; i++) {
    const theirs = await installation(app, dealer, { timezone: zone })
    pairs.push([(await home()).panel, await panel(app, dealer, theirs, { capacity_kw })])
  }
  const [all, dealers] = [await totalOf(key), await totalOf(dealer.key)]
  // Each call is of one installation of each company, now this one first and now that one.
  await Promise.all(
    pairs.flatMap((pair) =>
      [0, 1, 2, 3].map((n) => {
        const bad = pair.map((p) => at(p, `2026-05-0${n + 1}T18:00:00Z`, 500))
        return post(n % 2 === 0 ? bad : bad.reverse())
      }),
    ),
  )
  assert.deepEqual([await totalOf(key), await totalOf(dealer.key)], [all + 40, dealers + 20])
  assert.deepEqual(await wrongTotals(), [])
})

test('who mends what is kept waits for readings that are under way, and they do not wait for it', {
  skip: oneServerOnly(),
}, async () => {
  const { db, rows } = app.database
  const { id, panel: p } = await home()
  await post([at(p, '2026-05-04T18:00:00Z', 500)])
  await rows('update quarantine_totals set readings = readings + 7 where installer_id = $1', [
    installer.company.id,
  ])
  await rows('update installations set worst = 3 where id = $1', [id])
  let mending: Promise<unknown> | undefined
  await db.transaction(async (tx) => {
    await lockInstallations(tx, installer.company.id, [id])
    mending = db.transaction((other) => listWrongCounts(other, installer.company.id, true))
    await untilWaiting(rows, [mending])
    await countQuarantined(tx, { installerId: installer.company.id, installationIds: [id] })
  })
  await mending
  assert.deepEqual(await wrongTotals(), [])
})

test('what the version before counts beside this one is in the total, and on its pages', async () => {
  const { rows } = app.database
  const { id, panel: p } = await home()
  const t = (hour: number) => `2026-05-04T${hour}:00:00Z`
  const before = await totalOf(key)
  await post([at(p, t(18), 500), at(p, t(19), 500), at(p, t(20), 500)])
  const page = async () => (await app.get(`${api}/quarantine?per_page=1&page=${before + 3}`, key)).body.data
  assert.equal((await page()).length, 1)
  // As it writes: by installation alone.
  const writtenBefore = async (readings: number) =>
    rows(
      `with dropped as (
        update quarantined_readings set state = case when at < $2 then 'dropped' else 'waiting' end where installation_id = $1)
      update quarantine_counts set readings = $3, changes = changes + 1 where installation_id = $1`,
      [id, t(21 - readings), readings],
    )
  await writtenBefore(1)
  assert.deepEqual([await totalOf(key), (await page()).length], [before + 1, 0])
  await writtenBefore(3)
  assert.deepEqual([await totalOf(key), (await page()).length], [before + 3, 1])
  assert.deepEqual(await wrongTotals(), [])
  // What is written after that is added to what is there then.
  await countAgain(app.database.db, AbortSignal.timeout(10_000))
  assert.equal(await totalOf(key), before + 3)
  assert.deepEqual(await rows('select from quarantine_counts where changes <> summed_changes'), [])
  await writtenBefore(2)
  await post([at(p, t(21), 500)])
  assert.equal(await totalOf(key), before + 3)
  assert.deepEqual(await wrongTotals(), [])
  assert.deepEqual(await rows('select from quarantine_counts where changes <> summed_changes'), [])
})

test('whatever was quarantined, released, dropped and corrected: every sum is what the readings say', async () => {
  assert.ok((await checkRollUps(app.database)) > 100)
  assert.deepEqual(await wrongTotals(), [])
})
