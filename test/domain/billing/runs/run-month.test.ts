import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { deleteDraft } from '../../../../src/domain/billing/invoices/delete-draft.ts'
import { finalizeInvoice } from '../../../../src/domain/billing/invoices/finalize-invoice.ts'
import { findInvoice } from '../../../../src/domain/billing/invoices/queries.ts'
import { updateDraft } from '../../../../src/domain/billing/invoices/update-draft.ts'
import { voidInvoice } from '../../../../src/domain/billing/invoices/void-invoice.ts'
import { billMonth } from '../../../../src/domain/billing/months/bill-month.ts'
import { setPlan } from '../../../../src/domain/billing/plans/set-plan.ts'
import { runDueMonths, runMonth } from '../../../../src/domain/billing/runs/run-month.ts'
import { createTestDatabase } from '../../../support/database.ts'
import { createWorld } from '../../../support/factories.ts'
import { made, plan, planned, site } from '../../../support/invoices.ts'

const database = await createTestDatabase()
after(() => database.drop())
const { db, rows } = database
const { installer, dealer, other } = await createWorld(db)

/** After the end of a month everywhere. */
const afterMonth = (month: string) => new Date(Date.parse(`${month}-28T00:00:00Z`) + 6 * 86_400_000)

async function bill(installationId: string, month: string, now = afterMonth(month)) {
  return billMonth(db, now, await planned(database, installer, installationId), `${month}-01`)
}
const read = async (id: string | null) => (await findInvoice(db, installer.company.id, null, id!))!
const lines = async (id: string | null) =>
  (await read(id)).lineItems.map((l) => [l.quantity, l.unit, l.unitPrice, l.amount])
const finalize = (id: string | null) => finalizeInvoice(installer.as(), id!)

test('a month of energy is drafted once: kWh by rate', async () => {
  const home = await site(database, installer)
  await plan(installer, home)
  await made(database, installer, home, '2026-10-01', '2026-10-31', 40.123457)
  const first = await bill(home, '2026-10')
  assert.equal(first.outcome, 'drafted')
  assert.equal(first.amountDue, '149.26')
  assert.deepEqual(await lines(first.invoiceId), [['1243.827167', 'kWh', '0.12', '149.26']])
  const draft = await read(first.invoiceId)
  assert.deepEqual(
    [draft.status, draft.number, draft.periodStart, draft.periodEnd, draft.dueDate, draft.customer.name],
    ['draft', null, '2026-10-01', '2026-10-31', null, 'Ada Moreno'],
  )
  const again = await bill(home, '2026-10')
  assert.deepEqual([again.outcome, again.invoiceId], ['unchanged', first.invoiceId])
  assert.deepEqual(
    await rows('select type, actor_kind, company_id from events where subject_id = $1', [first.invoiceId]),
    [{ type: 'invoice.created', actor_kind: 'job', company_id: installer.company.id }],
  )
  const final = await finalize(first.invoiceId)
  const days = Temporal.PlainDate.from(final.issued!.day).until(final.dueDate!).days
  assert.equal(days, 30)
  const skipped = await bill(home, '2026-10')
  assert.deepEqual(
    [skipped.outcome, skipped.detail],
    ['skipped', `billed by invoice ${final.number}, which is open`],
  )
})

test('20 runs at once make one draft', async () => {
  const home = await site(database, installer)
  await plan(installer, home, { kind: 'lease', rate: '80' })
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => bill(home, '2026-05')))
  assert.equal(outcomes.filter((o) => o.outcome === 'drafted').length, 1)
  assert.equal(outcomes.filter((o) => o.outcome === 'unchanged').length, 19)
  const found = await rows('select id from invoices where installation_id = $1', [home])
  assert.equal(found.length, 1)
})

test('a month ends when it ends in the installation’s zone', async () => {
  const home = await site(database, installer, { timezone: 'Pacific/Auckland', region: 'NZ' })
  await plan(installer, home, { kind: 'lease', rate: '80' })
  // April 2026 ends there at 30 April 12:00 UTC (daylight saving ended on the 5th), September on the 30th at 11:00.
  const at = (text: string, month: string) => bill(home, month, new Date(text))
  const early = await at('2026-04-30T11:59:59Z', '2026-04')
  assert.deepEqual([early.outcome, early.detail], ['skipped', 'the month has not ended in Pacific/Auckland'])
  assert.equal((await at('2026-04-30T12:00:00Z', '2026-04')).outcome, 'drafted')
  assert.equal((await at('2026-09-30T10:59:59Z', '2026-09')).outcome, 'skipped')
  assert.equal((await at('2026-09-30T11:00:00Z', '2026-09')).outcome, 'drafted')
})

test('months with 23 and 25 hour days have all their days', async () => {
  const home = await site(database, installer)
  await plan(installer, home)
  for (const [month, days] of [
    ['2026-03', 31],
    ['2026-11', 30],
    ['2028-02', 29],
  ] as const) {
    await made(database, installer, home, `${month}-01`, `${month}-${days}`, 1)
    assert.deepEqual(await lines((await bill(home, month)).invoiceId), [
      [String(days), 'kWh', '0.12', (days * 0.12).toFixed(2)],
    ])
  }
})

test('a month with too few readings is held, and taken up when the data has come', async () => {
  const home = await site(database, installer)
  await plan(installer, home, { startDate: '2026-06-10' })
  await made(database, installer, home, '2026-06-10', '2026-06-28', 10)
  const held = await bill(home, '2026-06')
  assert.deepEqual([held.outcome, held.invoiceId], ['held', null])
  assert.match(held.detail!, /^9\d\.\d+% of the daylight readings received, 95% needed; Roof sent/)
  const state = () => rows('select state, reason from billing_months where installation_id = $1', [home])
  assert.deepEqual(await state(), [{ state: 'held', reason: held.detail }])
  assert.equal((await bill(home, '2026-06')).outcome, 'held')
  await made(database, installer, home, '2026-06-29', '2026-06-30', 10)
  const now = afterMonth('2026-06')
  const outcomes = (await runDueMonths(db, now)).filter((o) => o.installationId === home)
  assert.deepEqual(
    outcomes.map((o) => [o.month, o.outcome, o.amountDue]),
    [['2026-06', 'drafted', '25.20']],
  )
  assert.deepEqual(await state(), [{ state: 'drafted', reason: null }])
  assert.equal((await read(outcomes[0]!.invoiceId)).periodStart, '2026-06-10')
})

test('late data: a draft follows it, a finalised invoice is trued up on the next one, once', async () => {
  const home = await site(database, installer)
  await plan(installer, home, { startDate: '2026-01-15', escalatorPercent: '10' })
  await made(database, installer, home, '2026-01-15', '2026-04-30', 10)
  const january = await bill(home, '2026-01')
  assert.equal((await read(january.invoiceId)).amountDue, '20.40')
  await made(database, installer, home, '2026-01-20', '2026-01-20', 20)
  const redrafted = await bill(home, '2026-01')
  assert.deepEqual([redrafted.outcome, redrafted.amountDue], ['redrafted', '21.60'])
  await finalize(january.invoiceId)

  await made(database, installer, home, '2026-01-21', '2026-01-21', 25)
  const february = await bill(home, '2026-02')
  assert.deepEqual(await lines(february.invoiceId), [
    ['280', 'kWh', '0.12', '33.60'],
    ['15', 'kWh', '0.12', '1.80'],
  ])
  // Not yet final: more late data moves the line that is there.
  await made(database, installer, home, '2026-01-21', '2026-01-21', 5)
  assert.equal((await bill(home, '2026-02')).outcome, 'redrafted')
  assert.deepEqual((await lines(february.invoiceId))[1], ['-5', 'kWh', '0.12', '-0.60'])
  await finalize(february.invoiceId)
  assert.equal((await lines((await bill(home, '2026-03')).invoiceId)).length, 1)

  await made(database, installer, home, '2026-01-21', '2026-01-21', 6)
  await made(database, installer, home, '2026-02-21', '2026-02-21', 12)
  const april = await bill(home, '2026-04')
  assert.deepEqual((await lines(april.invoiceId)).slice(1), [
    ['1', 'kWh', '0.12', '0.12'],
    ['2', 'kWh', '0.12', '0.24'],
  ])
  // The draft of March leaves to April what April has taken.
  assert.equal((await bill(home, '2026-03')).outcome, 'unchanged')
})

test('a true-up is at the rate of its days: an anniversary inside a month has two', async () => {
  const home = await site(database, installer)
  await plan(installer, home, { startDate: '2025-03-15', escalatorPercent: '10' })
  await made(database, installer, home, '2026-03-01', '2026-04-30', 10)
  const march = await bill(home, '2026-03')
  assert.deepEqual(await lines(march.invoiceId), [
    ['140', 'kWh', '0.12', '16.80'],
    ['170', 'kWh', '0.132', '22.44'],
  ])
  await finalize(march.invoiceId)
  await made(database, installer, home, '2026-03-14', '2026-03-15', 20)
  assert.deepEqual((await lines((await bill(home, '2026-04')).invoiceId)).slice(1), [
    ['10', 'kWh', '0.12', '1.20'],
    ['10', 'kWh', '0.132', '1.32'],
  ])
})

test('a credit larger than the month is carried over until it is used up, and the sums agree', async () => {
  const home = await site(database, installer)
  await plan(installer, home)
  await made(database, installer, home, '2026-01-01', '2026-01-31', 1000)
  await made(database, installer, home, '2026-02-01', '2026-05-31', 100)
  await finalize((await bill(home, '2026-01')).invoiceId)
  await made(database, installer, home, '2026-01-01', '2026-01-31', 800)
  const due: string[] = []
  for (const month of ['2026-02', '2026-03', '2026-04']) {
    const { invoiceId } = await bill(home, month)
    const { amountDue, status } = await finalize(invoiceId)
    due.push(`${amountDue} ${status}`)
  }
  // 744 too much in January; February is 336, March 372, April 360.
  assert.deepEqual(due, ['0.00 paid', '0.00 paid', '324.00 open'])
  const [sum] = await rows('select sum(amount_due) as due from invoices where installation_id = $1', [home])
  assert.equal(sum!.due, '4044.00')
})

test('voiding: what it billed or credited is billed and credited again, not twice and not never', async () => {
  const home = await site(database, installer)
  await plan(installer, home)
  await made(database, installer, home, '2026-01-01', '2026-03-31', 10)
  const january = await bill(home, '2026-01')
  await finalize(january.invoiceId)
  await made(database, installer, home, '2026-01-01', '2026-01-01', 20)
  const february = await bill(home, '2026-02')
  await finalize(february.invoiceId)
  assert.equal((await lines(february.invoiceId)).length, 2)
  await voidInvoice(installer.as(), february.invoiceId!)
  // The job leaves a voided month alone; asked for, it is drafted again with the true-up.
  const own = async () =>
    (await runDueMonths(db, afterMonth('2026-02'))).filter((o) => o.installationId === home)
  assert.deepEqual(await own(), [])
  const again = await bill(home, '2026-02')
  assert.equal(again.outcome, 'drafted')
  assert.notEqual(again.invoiceId, february.invoiceId)
  assert.equal((await lines(again.invoiceId)).length, 2)
  await finalize(again.invoiceId)
  // January voided and billed again at what is measured now: the true-up of February is given back.
  await voidInvoice(installer.as(), january.invoiceId!)
  const second = await bill(home, '2026-01')
  assert.equal(second.amountDue, '38.40')
  await finalize(second.invoiceId)
  assert.deepEqual((await lines((await bill(home, '2026-03')).invoiceId))[1], ['-10', 'kWh', '0.12', '-1.20'])
})

test('a draft changed by hand is left alone; a deleted one is not made again by itself', async () => {
  const home = await site(database, installer)
  await plan(installer, home, { kind: 'lease', rate: '80', startDate: '2026-06-01' })
  const june = await bill(home, '2026-06')
  await assert.rejects(updateDraft(installer.as(), june.invoiceId!, { currency: 'EUR' }), /is in USD/)
  await updateDraft(installer.as(), june.invoiceId!, { dueDate: '2026-08-01' })
  await plan(installer, home, { kind: 'lease', rate: '90', startDate: '2026-06-01' })
  const left = await bill(home, '2026-06')
  assert.deepEqual([left.outcome, left.amountDue], ['skipped', '80.00'])
  const july = await bill(home, '2026-07')
  await plan(installer, home, { kind: 'lease', rate: '95', startDate: '2026-06-01' })
  assert.deepEqual((await bill(home, '2026-07')).amountDue, '95.00')
  await deleteDraft(installer.as(), july.invoiceId!)
  const own = (await runDueMonths(db, afterMonth('2026-07'))).filter((o) => o.installationId === home)
  assert.deepEqual(own, [])
  assert.equal((await bill(home, '2026-07')).outcome, 'drafted')

  const metered = await site(database, installer)
  await plan(installer, metered)
  await made(database, installer, metered, '2026-02-01', '2026-02-28', 10)
  await deleteDraft(installer.as(), (await bill(metered, '2026-02')).invoiceId!)
  assert.equal((await bill(metered, '2026-02')).amountDue, '33.60')
})

test('the job bills every month that ended since the plan was made, none from before', async () => {
  const home = await site(database, installer)
  await setPlan(installer.as(new Date('2026-03-20T00:00:00Z')), home, {
    kind: 'lease',
    rate: '50',
    startDate: '2024-01-01',
  })
  const own = async (now: string) =>
    (await runDueMonths(db, new Date(now)))
      .filter((o) => o.installationId === home)
      .map((o) => [o.month, o.outcome])
  assert.deepEqual(await own('2026-03-31T23:00:00Z'), [])
  // The server was down for two months.
  assert.deepEqual(await own('2026-06-01T07:00:00Z'), [
    ['2026-03', 'drafted'],
    ['2026-04', 'drafted'],
    ['2026-05', 'drafted'],
  ])
  assert.equal((await bill(home, '2024-02')).outcome, 'drafted')
})

test('a run of one installer leaves the others alone, and one that fails does not stop the rest', async () => {
  const theirs = await site(database, other)
  await plan(other, theirs, { kind: 'lease', rate: '10' })
  const dealers = await site(database, dealer)
  await plan(dealer, dealers, { kind: 'lease', rate: '10' })
  const broken = await site(database, other)
  await plan(other, broken, { kind: 'ppa', rate: '1000000' })
  await made(database, other, broken, '2026-08-01', '2026-08-31', 1_000_000_000)
  const now = afterMonth('2026-08')
  const run = (company: string) => runMonth(db, now, { month: '2026-08', installer: company })
  const results = await run(String(other.company.number))
  assert.deepEqual(new Set(results.map((r) => r.installerId)), new Set([other.company.id]))
  assert.deepEqual(
    new Map(results.map((r) => [r.installationId, r.outcome])),
    new Map([
      [theirs, 'drafted'],
      [broken, 'failed'],
    ]),
  )
  assert.match(results.find((r) => r.outcome === 'failed')!.detail!, /at most 999999999\.99 is billed/)
  const own = await run(installer.company.id)
  const { invoiceId } = own.find((r) => r.installationId === dealers)!
  assert.equal((await read(invoiceId)).companyId, dealer.company.id)
  await assert.rejects(run(dealer.company.id), /is a dealer/)
  await assert.rejects(runMonth(db, now, { month: '2026-13' }), /like 2026-10/)
})

test('what was in another currency stays there', async () => {
  const home = await site(database, installer)
  await plan(installer, home)
  await made(database, installer, home, '2026-01-01', '2026-02-28', 10)
  await finalize((await bill(home, '2026-01')).invoiceId)
  await made(database, installer, home, '2026-01-01', '2026-01-01', 20)
  await plan(installer, home, { currency: 'CAD' })
  assert.equal((await lines((await bill(home, '2026-02')).invoiceId)).length, 1)
})
