import assert from 'node:assert/strict'
import { test } from 'node:test'
import { invoicesPath, plansPath } from '../../support/invoices.ts'
import { createMeters, dailyTotal, daysOf, sum, sunnyDay, zone } from '../../support/meters.ts'
import { installation, panel } from '../../support/panels.ts'

const meters = await createMeters()
const { app, world, post, sendAll, home, monthOf, complete, bill, plan, releaseMonth } = meters
const { installer, dealer, other } = world
const { key } = installer
const capacity_kw = 0.4

test('hourly, quarter-hourly, one total a day: each is complete when it kept its own', async () => {
  const days = [...daysOf('2026-04'), ...daysOf('2026-05')]
  for (const make of [
    (p: string) => days.flatMap((day) => sunnyDay(p, day)),
    (p: string) => days.flatMap((day) => sunnyDay(p, day, { nights: true })),
    (p: string) => days.flatMap((day) => sunnyDay(p, day, { minutes: 15 })),
    (p: string) => days.map((day) => dailyTotal(p, day)),
  ]) {
    const { id, panel: p } = await home()
    await plan(id)
    await sendAll(make(p))
    assert.equal(await complete(id, '2026-05'), 100)
    assert.equal((await bill(id, '2026-05')).outcome, 'drafted')
  }
})

test('one reading a day where hourly was kept is far from complete, and held with the reason', async () => {
  const { id, panel: p } = await home()
  await plan(id)
  await sendAll([
    ...daysOf('2026-04').flatMap((day) => sunnyDay(p, day)),
    ...daysOf('2026-05').map((day) => sunnyDay(p, day)[5]!),
  ])
  assert.ok((await complete(id, '2026-05')) < 50)
  const held = await bill(id, '2026-05')
  assert.equal(held.outcome, 'held')
  assert.match(held.detail!, /%/)
})

test('a second panel that was silent for 27 days holds the month, and the reason names it', async () => {
  const { id, panels } = await home(2)
  const [loud, silent] = panels as [string, string]
  await plan(id)
  await sendAll([
    ...[...daysOf('2026-04'), ...daysOf('2026-05')].flatMap((day) => sunnyDay(loud, day)),
    ...[...daysOf('2026-04'), ...daysOf('2026-05').slice(0, 4)].flatMap((day) => sunnyDay(silent, day)),
  ])
  const percent = await complete(id, '2026-05')
  assert.ok(percent > 50 && percent < 60, String(percent))
  const held = await bill(id, '2026-05')
  assert.equal(held.outcome, 'held')
  const shown = (await app.get(`${plansPath}/${id}`, key)).body.held_months
  assert.match(JSON.stringify(shown), /2026-05/)
  // By hand, it is billed what was measured; a second run changes nothing; late data make the draft again.
  assert.equal((await releaseMonth(id, '2026-05', other.key)).status, 404)
  assert.equal((await releaseMonth(id, '2026-05', dealer.key)).status, 404)
  assert.ok((await releaseMonth(id, '2026-05')).status < 300)
  const drafted = await bill(id, '2026-05')
  assert.ok(['drafted', 'unchanged'].includes(drafted.outcome), drafted.outcome)
  const measured = (await monthOf(id, '2026-05')).summary.total_kwh
  assert.equal(drafted.amountDue, (Math.round(measured * 0.2 * 100) / 100).toFixed(2))
  assert.equal((await bill(id, '2026-05')).outcome, 'unchanged')
  await sendAll(
    daysOf('2026-05')
      .slice(4)
      .flatMap((day) => sunnyDay(silent, day)),
  )
  const again = await bill(id, '2026-05')
  assert.equal(again.outcome, 'redrafted')
  assert.ok(Number(again.amountDue) > Number(drafted.amountDue))
  assert.equal(await complete(id, '2026-05'), 100)
})

test('late data after release and finalising come as a true-up, once', async () => {
  const { id, panel: p } = await home()
  await plan(id)
  await sendAll([...daysOf('2026-04'), ...daysOf('2026-05').slice(0, 20)].flatMap((day) => sunnyDay(p, day)))
  assert.equal((await bill(id, '2026-05')).outcome, 'held')
  await releaseMonth(id, '2026-05')
  const { invoiceId } = await bill(id, '2026-05')
  assert.equal((await app.call('POST', `${invoicesPath}/${invoiceId}/finalize`, { key })).status, 200)
  const late = daysOf('2026-05')
    .slice(20)
    .flatMap((day) => sunnyDay(p, day))
  await sendAll([...late, ...daysOf('2026-06').flatMap((day) => sunnyDay(p, day))])
  const june = await bill(id, '2026-06')
  const lines = (await app.get(`${invoicesPath}/${june.invoiceId}`, key)).body.line_items
  assert.deepEqual(lines.map((l: { quantity: number }) => l.quantity).slice(1), [sum(late)])
})

test('a panel added yesterday does not make earlier months incomplete, nor its own', async () => {
  const { id, panel: p } = await home()
  const month = Temporal.Now.plainDateISO(zone).toPlainYearMonth().subtract({ months: 1 }).toString()
  await sendAll(daysOf(month).flatMap((day) => sunnyDay(p, day)))
  assert.equal(await complete(id, month), 100)
  await panel(app, installer, id, { capacity_kw })
  assert.equal(await complete(id, month), 100)
  // One that begins in mid-month counts from there.
  const third = await panel(app, installer, id, { capacity_kw })
  await sendAll(
    daysOf(month)
      .slice(14)
      .flatMap((day) => sunnyDay(third, day)),
  )
  assert.equal(await complete(id, month), 100)
})

test('a deleted panel is expected until it went, and its energy stays', async () => {
  const { id, panels } = await home(2)
  const [stays, goes] = panels as [string, string]
  const month = Temporal.Now.plainDateISO(zone).toPlainYearMonth().subtract({ months: 1 }).toString()
  const all = [stays, goes].flatMap((p) => daysOf(month).flatMap((day) => sunnyDay(p, day)))
  await sendAll(all)
  await app.call('DELETE', `/catalog/v1/panels/${goes}`, { key })
  const { summary } = await monthOf(id, month)
  assert.equal(summary.completeness_percent, 100)
  assert.equal(summary.total_kwh, sum(all))
})

test('one that failed, was silent to the month’s end and then deleted leaves the month incomplete', async () => {
  const { id, panels } = await home(2)
  const [stays, goes] = panels as [string, string]
  const month = Temporal.Now.plainDateISO(zone).toPlainYearMonth().subtract({ months: 1 }).toString()
  await sendAll([
    ...daysOf(month).flatMap((day) => sunnyDay(stays, day)),
    ...daysOf(month)
      .slice(0, 10)
      .flatMap((day) => sunnyDay(goes, day)),
  ])
  await app.call('DELETE', `/catalog/v1/panels/${goes}`, { key })
  const percent = await complete(id, month)
  assert.ok(percent > 60 && percent < 75, String(percent))
})

test('short winter days and a polar winter: what has no light is not missed', async () => {
  // Tromsø: from the end of November to mid-January the sun does not rise.
  const timezone = 'Europe/Oslo'
  const id = await installation(app, installer, { region: 'NO-55', timezone })
  const p = await panel(app, installer, id, { capacity_kw })
  await sendAll([
    ...daysOf('2026-01').flatMap((day) => sunnyDay(p, day, { timezone, sunrise: 10, sunset: 13 })),
    ...daysOf('2026-02').flatMap((day) => sunnyDay(p, day, { timezone, sunrise: 9, sunset: 15 })),
  ])
  assert.equal(await complete(id, '2026-01'), 100)
  assert.equal(await complete(id, '2026-02'), 100)
})

test('days grow from winter to spring: an hourly logger that sends by day stays complete', async () => {
  const { id, panel: p } = await home()
  await sendAll(
    ['2026-02', '2026-03', '2026-04', '2026-05'].flatMap((month, m) =>
      daysOf(month).flatMap((day) => sunnyDay(p, day, { sunrise: 8 - m, sunset: 17 + m })),
    ),
  )
  for (const month of ['2026-02', '2026-03', '2026-04', '2026-05'])
    assert.equal(await complete(id, month), 100, month)
})

test('the change of the clock leaves neither hour out', async () => {
  for (const month of ['2025-11', '2026-03']) {
    const { id, panel: p } = await home()
    const readings = daysOf(month).flatMap((day) => sunnyDay(p, day, { nights: true }))
    await sendAll(readings)
    const { summary } = await monthOf(id, month)
    assert.deepEqual([summary.completeness_percent, summary.total_kwh], [100, sum(readings)])
  }
})

test('quarantined readings cover nothing until a person releases or a corrected value comes', async () => {
  const { id, panel: p } = await home()
  await plan(id)
  const may = daysOf('2026-05').flatMap((day) => sunnyDay(p, day))
  await sendAll(daysOf('2026-04').flatMap((day) => sunnyDay(p, day)))
  await sendAll(may.slice(0, may.length / 2))
  const wrong = may.slice(may.length / 2).map((r) => ({ ...r, kwh: r.kwh * 1000 + 600 }))
  assert.equal((await post(wrong)).quarantined, wrong.length)
  assert.ok((await complete(id, '2026-05')) < 60)
  assert.equal((await bill(id, '2026-05')).outcome, 'held')
  await sendAll(may)
  assert.equal(await complete(id, '2026-05'), 100)
  assert.equal((await bill(id, '2026-05')).outcome, 'drafted')
})

test('the plan’s own threshold decides: 94 % is held at 95, drafted at 90', async () => {
  const { id, panel: p } = await home()
  await sendAll([
    ...daysOf('2026-05').flatMap((day) => sunnyDay(p, day)),
    ...daysOf('2026-06')
      .slice(0, 28)
      .flatMap((day) => sunnyDay(p, day)),
  ])
  const percent = await complete(id, '2026-06')
  assert.ok(percent > 92 && percent < 95, String(percent))
  await plan(id)
  assert.equal((await bill(id, '2026-06')).outcome, 'held')
  await plan(id, { completeness_percent: 90 })
  assert.equal((await bill(id, '2026-06')).outcome, 'drafted')
})

test('a lease is not held for want of readings', async () => {
  const { id } = await home()
  await plan(id, { kind: 'lease', rate: 99 })
  const { outcome, amountDue } = await bill(id, '2026-05')
  assert.deepEqual([outcome, amountDue], ['drafted', '99.00'])
})

test('a site that never sent anything is held; its completeness is 0, never NaN or 100', async () => {
  const { id } = await home()
  await plan(id)
  assert.equal(await complete(id, '2026-05'), 0)
  assert.equal((await bill(id, '2026-05')).outcome, 'held')
})

test('an estimate is named as one, stands while readings are missing, and is trued up once when they come', async () => {
  const { id, panels } = await home(2)
  const [loud, silent] = panels as [string, string]
  await plan(id)
  const of = (p: string, month: string, days = 31) =>
    daysOf(month)
      .slice(0, days)
      .flatMap((day) => sunnyDay(p, day))
  const may = of(loud, '2026-05')
  await sendAll([...of(loud, '2026-04'), ...of(silent, '2026-04'), ...may])
  assert.equal((await bill(id, '2026-05')).outcome, 'held')
  assert.equal((await releaseMonth(id, '2026-05', key, { as: 'guess' })).status, 400)
  const released = await releaseMonth(id, '2026-05', key, { as: 'estimate' })
  assert.deepEqual([released.status, released.body.outcome], [200, 'drafted'])
  // The silent one is taken to have made what its sibling of the same size did.
  const draft = (await app.get(`${invoicesPath}/${released.body.invoice_id}`, key)).body
  assert.deepEqual(
    draft.line_items.map((l: { quantity: number }) => l.quantity),
    [sum(may), sum(may)],
  )
  assert.match(
    draft.line_items[1].description,
    /^Estimated solar energy, May 1, 2026 – May 31, 2026 \(50% of/,
  )
  assert.equal((await releaseMonth(id, '2026-05')).status, 404)
  assert.equal((await app.call('POST', `${invoicesPath}/${draft.id}/finalize`, { key })).status, 200)

  const june = [...of(loud, '2026-06'), ...of(silent, '2026-06')]
  await sendAll(june)
  const quantities = async (month: string) => {
    const { invoiceId } = await bill(id, month)
    const { line_items } = (await app.get(`${invoicesPath}/${invoiceId}`, key)).body
    return line_items.map((l: { quantity: number }) => l.quantity)
  }
  assert.deepEqual(await quantities('2026-06'), [sum(june)])
  // What came in late is a little less than was estimated.
  const late = of(silent, '2026-05').map((one) => ({ ...one, kwh: Math.round(one.kwh * 900) / 1000 }))
  await sendAll(late)
  const difference = Math.round((sum(late) - sum(may)) * 1e6) / 1e6
  assert.deepEqual(await quantities('2026-06'), [sum(june), difference])
})

test('a month that is not held, unknown or of nothing cannot be released', async () => {
  const { id, panel: p } = await home()
  await plan(id)
  for (const month of ['2026-05', '2026-13', 'May', '0000-00'])
    assert.equal((await releaseMonth(id, month)).status, 404, month)
  assert.equal((await bill(id, '2026-05')).outcome, 'held')
  // From nothing, nothing can be estimated; as measured, it is billed as nothing.
  const estimate = await releaseMonth(id, '2026-05', key, { as: 'estimate' })
  assert.equal(estimate.status, 400)
  assert.match(estimate.body.error.message, /nothing was measured/)
  assert.equal((await releaseMonth(id, '2026-05')).status, 200)
  assert.equal((await bill(id, '2026-05')).amountDue, '0.00')
  await sendAll(daysOf('2026-04').flatMap((day) => sunnyDay(p, day)))
})

test('what is kept of a month is forgotten when readings come, late ones of the months before too', async () => {
  const { id, panel: p } = await home()
  const months = ['2026-02', '2026-03', '2026-04'] as const
  const of = (month: string) => daysOf(month).flatMap((day) => sunnyDay(p, day))
  await sendAll([...of('2026-02'), ...of('2026-03').slice(0, 200), ...of('2026-04')])
  // One after the other: of two that count at once, only one keeps what it counted.
  const all = async () => {
    const percents: number[] = []
    for (const month of months) percents.push(await complete(id, month))
    return percents
  }
  const first = await all()
  assert.deepEqual(await all(), first)
  const kept = () => app.database.rows('select from coverage_months where installation_id = $1', [id])
  assert.equal((await kept()).length, 3)
  assert.ok(first[1]! < 60, String(first[1]))
  await sendAll(of('2026-03'))
  assert.equal((await kept()).length, 1)
  assert.deepEqual(await all(), [100, 100, 100])
  // A range that cuts months counts their days only.
  const cut = await meters.read({ installation_id: id, start_date: '2026-02-20', end_date: '2026-05-03' })
  assert.ok(cut.summary.completeness_percent > 94 && cut.summary.completeness_percent < 100)
  const one = await meters.read({ panel_id: p, start_date: '2026-02-20', end_date: '2026-04-10' })
  assert.equal(one.summary.completeness_percent, 100)
})
