import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listWrongCounts } from '../../../../src/domain/operations/checks/count-queries.ts'
import { findExtent } from '../../../../src/domain/sites/energy/check-queries.ts'
import { judgeStored } from '../../../../src/domain/sites/energy/judge-stored.ts'
import { dayOf } from '../../../../src/domain/sites/energy/local-time.ts'
import { checkRollUps } from '../../../support/energy.ts'
import { invoicesPath } from '../../../support/invoices.ts'
import {
  at,
  createMeters,
  dailyTotal,
  daysOf,
  type MeterReading,
  sum,
  sunnyDay,
  zone,
} from '../../../support/meters.ts'

const meters = await createMeters()
const { app, world, post, sendAll, home, monthOf, quarantined, judge, bill, plan } = meters
const { db, rows } = app.database
const { company, key } = world.installer

/** Puts readings there as they were stored before any were judged. */
async function store(readings: readonly MeterReading[], real: number): Promise<void> {
  const panels = [...new Set(readings.map(({ panel_id }) => panel_id))]
  await rows('update panels set capacity_kw = 9000000 where id = any($1)', [panels])
  await sendAll(readings)
  await rows('update panels set capacity_kw = $2 where id = any($1)', [panels, real])
  await rows('update panel_days set last_at = null where panel_id = any($1)', [panels])
}

const may = { first: dayOf('2026-05-01'), last: dayOf('2026-05-31') }
const judgeMay = (id: string) => judgeStored(db, company.id, { id, timezone: zone }, may, new Date())

test('what was stored before readings were judged is judged before it is billed, and only once', async () => {
  const { id, panels } = await home(2)
  const [good, bad] = panels as [string, string]
  await plan(id)
  const fair = daysOf('2026-05').flatMap((day) => [...sunnyDay(good, day), ...sunnyDay(bad, day)])
  await store(fair, 0.4)
  const odd = [
    at(bad, '2026-05-15T08:30:00Z', 999_999),
    at(bad, '2026-05-20T02:10:00Z', 40),
    // The only one of its day, in the month after.
    at(bad, '2026-06-02T18:00:00Z', 500),
  ]
  await store(odd, 0.4)
  assert.ok((await monthOf(id, '2026-05')).summary.total_kwh > 999_999)
  const drafted = await bill(id, '2026-05')
  assert.equal(drafted.outcome, 'drafted', drafted.detail ?? '')
  assert.equal(drafted.amountDue, (Math.round(sum(fair) * 0.2 * 100) / 100).toFixed(2))
  assert.equal((await monthOf(id, '2026-05')).summary.total_kwh, sum(fair))
  await checkRollUps(app.database)
  const waiting = await quarantined(id)
  assert.deepEqual(waiting.map(({ kwh }) => kwh).sort(), [40, 999_999])

  // A person may say that one was right after all: then it counts, and is not judged once more.
  assert.equal((await judge(waiting.find(({ kwh }) => kwh === 40)!, 'release')).status, 200)
  const again = await bill(id, '2026-05')
  assert.deepEqual(
    [again.outcome, (Number(again.amountDue) - Number(drafted.amountDue)).toFixed(2)],
    ['redrafted', '8.00'],
  )
  assert.equal(await judgeMay(id), 0)
  await checkRollUps(app.database)

  const june = { first: dayOf('2026-06-01'), last: dayOf('2026-06-30') }
  assert.equal(await judgeStored(db, company.id, { id, timezone: zone }, june, new Date()), 1)
  await checkRollUps(app.database)
  assert.deepEqual((await monthOf(id, '2026-06')).data, [], 'a day that has nothing left is none')
  assert.ok((await findExtent(db, { installerId: company.id, installationId: id })).lastDay! < june.first)
})

test('what is final stays as it was billed; totals of a day and possible readings are left alone', async () => {
  const { id, panel: p } = await home()
  await plan(id)
  const daily = daysOf('2026-05').map((day) => dailyTotal(p, day))
  await store(daily, 0.4)
  const drafted = await bill(id, '2026-05')
  assert.equal(drafted.amountDue, (62 * 0.2).toFixed(2))
  assert.deepEqual(await quarantined(id), [])
  await app.call('POST', `${invoicesPath}/${drafted.invoiceId}/finalize`, { key })
  await store([at(p, '2026-05-10T18:00:00Z', 700)], 0.4)
  assert.equal((await bill(id, '2026-05')).outcome, 'skipped')
  assert.deepEqual(await quarantined(id), [])
  // What comes now to a day that was not judged is judged as ever.
  assert.equal((await post([at(p, '2026-05-10T18:05:00Z', 5)])).quarantined, 1)
  const wrong = await listWrongCounts(db, company.id, false)
  assert.deepEqual(
    wrong.filter(({ what }) => what.startsWith('quarantine')),
    [],
  )
})
