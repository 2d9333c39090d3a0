import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { refundCredit } from '../../../../src/domain/billing/credits/refund-credit.ts'
import { deleteDraft } from '../../../../src/domain/billing/invoices/delete-draft.ts'
import { finalizeInvoice } from '../../../../src/domain/billing/invoices/finalize-invoice.ts'
import { findInvoice } from '../../../../src/domain/billing/invoices/queries.ts'
import { voidInvoice } from '../../../../src/domain/billing/invoices/void-invoice.ts'
import { billHeldMonth } from '../../../../src/domain/billing/months/bill-held-month.ts'
import { deletePlan } from '../../../../src/domain/billing/plans/set-plan.ts'
import { runDueMonths, runMonth } from '../../../../src/domain/billing/runs/run-month.ts'
import { createTestDatabase } from '../../../support/database.ts'
import { createWorld } from '../../../support/factories.ts'
import { made, plan, site } from '../../../support/invoices.ts'

const database = await createTestDatabase()
after(() => database.drop())
const { installer } = await createWorld(database.db)
const finalize = (id: string | null) => finalizeInvoice(installer.as(), id!)
const read = async (id: string | null) => (await findInvoice(database.db, installer.company.id, null, id!))!

/** What the job does with an installation on a day. */
const runOn = async (day: string, home: string) =>
  (await runDueMonths(database.db, new Date(`${day}T12:00:00Z`))).filter((o) => o.installationId === home)
const done = (outcomes: Awaited<ReturnType<typeof runOn>>) =>
  outcomes.filter(({ outcome }) => outcome !== 'skipped').map((o) => [o.month, o.outcome, o.amountDue])

let people = 0
/** Each test has a customer of its own: what one has in credits another one's invoices would use. */
const somebody = () => ({ name: 'Ada Moreno', email: `ada${++people}@example.com`, address: null })

/** Billed in January at 0.12 a kWh and 10 kWh a day; January is final, and the plan ended on its last day. */
async function ended(customer = somebody()): Promise<string> {
  const home = await site(database, installer)
  await plan(installer, home, { customer })
  await made(database, installer, home, '2026-01-01', '2026-03-31', 10)
  await deletePlan(installer.as(new Date('2026-01-31T12:00:00Z')), home)
  const [january] = await runOn('2026-02-02', home)
  await finalize(january!.invoiceId)
  return home
}

test('after the end of a plan nothing more is billed while what was billed is right', async () => {
  const home = await ended()
  for (const day of ['2026-02-11', '2026-03-02', '2026-04-02'])
    assert.deepEqual(done(await runOn(day, home)), [])
  const results = await runMonth(database.db, new Date('2026-04-02T12:00:00Z'), { month: '2026-03' })
  const own = results.find(({ installationId }) => installationId === home)!
  assert.deepEqual(
    [own.outcome, own.detail],
    ['skipped', 'the plan has ended, and nothing is to be trued up'],
  )
})

test('late data after the end is billed by one closing invoice of the next monthly run', async () => {
  const home = await ended()
  await made(database, installer, home, '2026-01-20', '2026-01-20', 60)
  assert.deepEqual(done(await runOn('2026-02-20', home)), [])
  const first = await runOn('2026-03-02', home)
  assert.deepEqual(done(first), [['2026-02', 'drafted', '6.00']])
  const draft = await read(first[0]!.invoiceId)
  assert.deepEqual(
    [draft.customer.name, draft.periodStart, draft.periodEnd, draft.paymentTermDays],
    ['Ada Moreno', null, null, 30],
  )
  assert.deepEqual(
    draft.lineItems.map((l) => [l.description, l.quantity, l.unitPrice, l.amount]),
    [['True-up, Jan 1, 2026 – Jan 31, 2026: 360 kWh measured, 310 kWh billed before', '50', '0.12', '6.00']],
  )
  // The draft follows what comes still later; once final, the next month has what is left.
  await made(database, installer, home, '2026-01-21', '2026-01-21', 20)
  assert.deepEqual(done(await runOn('2026-03-03', home)), [['2026-02', 'redrafted', '7.20']])
  await finalize(draft.id)
  assert.deepEqual(done(await runOn('2026-03-04', home)), [])
  await made(database, installer, home, '2026-01-22', '2026-01-22', 20)
  assert.deepEqual(done(await runOn('2026-03-05', home)), [])
  assert.deepEqual(done(await runOn('2026-04-02', home)), [['2026-03', 'drafted', '1.20']])
})

const creditsOf = (home: string) =>
  database.rows<{ id: string; reason: string; invoice: string; amount: string; used: string }>(
    'select id, reason, invoice_id as invoice, amount, used from credits where installation_id = $1 order by id',
    [home],
  )

test('what was billed too much becomes a credit, which a later closing invoice uses or somebody pays back', async () => {
  const home = await ended()
  await made(database, installer, home, '2026-01-20', '2026-01-20', 0)
  const [closing] = await runOn('2026-03-02', home)
  const { amountDue, carryOut, lineItems } = await read(closing!.invoiceId)
  assert.deepEqual([amountDue, carryOut], ['0.00', '1.20'])
  assert.deepEqual(lineItems.at(-1)!.description, 'Credit balance')
  assert.deepEqual(await creditsOf(home), [], 'a draft gives nothing')
  assert.equal((await finalize(closing!.invoiceId)).status, 'paid')
  const [credit] = await creditsOf(home)
  assert.deepEqual(
    [credit!.reason, credit!.invoice, credit!.amount],
    ['closing_invoice', closing!.invoiceId, '1.20'],
  )
  assert.deepEqual(done(await runOn('2026-03-03', home)), [], 'it is not carried over besides')
  await made(database, installer, home, '2026-01-20', '2026-01-20', 30)
  const [next] = await runOn('2026-04-02', home)
  assert.deepEqual([next!.month, next!.outcome, next!.amountDue], ['2026-03', 'drafted', '2.40'])
  assert.equal((await creditsOf(home))[0]!.used, '1.20')
  await deleteDraft(installer.as(), next!.invoiceId!)
  const { body } = await refundCredit(installer.as(), credit!.id)
  assert.deepEqual([JSON.parse(body).amount_refunded, JSON.parse(body).amount_remaining], [1.2, 0])
})

test('what was left to be carried over when the plan ended is closed too', async () => {
  const home = await site(database, installer)
  await plan(installer, home, { rate: '1', customer: somebody() })
  await made(database, installer, home, '2026-01-01', '2026-01-31', 10)
  const [january] = await runOn('2026-02-02', home)
  await finalize(january!.invoiceId)
  // February makes less than January was billed too much.
  await made(database, installer, home, '2026-01-01', '2026-01-31', 1)
  await made(database, installer, home, '2026-02-01', '2026-02-28', 1)
  const [february] = await runOn('2026-03-02', home)
  const { carryOut } = await finalize(february!.invoiceId)
  assert.deepEqual([carryOut, await creditsOf(home)], ['251.00', []], 'the next invoice takes it up')
  await deletePlan(installer.as(new Date('2026-02-28T12:00:00Z')), home)
  const [closing] = await runOn('2026-04-02', home)
  await finalize(closing!.invoiceId)
  assert.deepEqual(
    (await creditsOf(home)).map(({ amount }) => amount),
    ['251.00'],
  )
  assert.deepEqual(done(await runOn('2026-05-02', home)), [])
})

test('a plan that is set again before the closing invoice is final takes up what is open, once', async () => {
  const customer = somebody()
  const home = await ended(customer)
  await made(database, installer, home, '2026-01-20', '2026-01-20', 0)
  const [closing] = await runOn('2026-03-02', home)
  await plan(installer, home, { startDate: '2026-03-01', customer })
  const drafts = await runOn('2026-04-02', home)
  const march = drafts.find(({ month }) => month === '2026-03')!
  assert.equal((await read(march.invoiceId)).amountDue, '36.00')
  await deletePlan(installer.as(new Date('2026-03-31T12:00:00Z')), home)
  await finalize(closing!.invoiceId)
  assert.deepEqual(await creditsOf(home), [], 'March has it already')
})

test('a closing draft goes when the data is right again, and is not made again when it was deleted', async () => {
  const home = await ended()
  await made(database, installer, home, '2026-01-20', '2026-01-20', 60)
  const [closing] = await runOn('2026-03-02', home)
  await made(database, installer, home, '2026-01-20', '2026-01-20', 10)
  assert.deepEqual(done(await runOn('2026-03-03', home)), [['2026-02', 'withdrawn', null]])
  assert.equal(await findInvoice(database.db, installer.company.id, null, closing!.invoiceId!), null)

  await made(database, installer, home, '2026-01-20', '2026-01-20', 70)
  const [again] = await runOn('2026-03-04', home)
  assert.equal(again!.outcome, 'drafted')
  await deleteDraft(installer.as(), again!.invoiceId!)
  assert.deepEqual(done(await runOn('2026-03-05', home)), [])
})

test('a plan that ends within a month bills its days, and months that nobody had billed by then', async () => {
  const home = await site(database, installer)
  await plan(installer, home, { customer: somebody() })
  await made(database, installer, home, '2026-01-01', '2026-03-31', 10)
  await deletePlan(installer.as(new Date('2026-02-10T12:00:00Z')), home)
  const billed = await runOn('2026-03-02', home)
  assert.deepEqual(done(billed), [
    ['2026-01', 'drafted', '37.20'],
    ['2026-02', 'drafted', '12.00'],
  ])
  const { periodStart, periodEnd, lineItems } = await read(billed[1]!.invoiceId)
  assert.deepEqual([periodStart, periodEnd], ['2026-02-01', '2026-02-10'])
  assert.equal(lineItems[0]!.description, 'Solar energy, Feb 1, 2026 – Feb 10, 2026')
  for (const { invoiceId } of billed) await finalize(invoiceId)
  assert.deepEqual(done(await runOn('2026-04-02', home)), [])

  // Voided after the end, a month can be billed again.
  await voidInvoice(installer.as(), billed[0]!.invoiceId!)
  const again = await runMonth(database.db, new Date('2026-04-02T12:00:00Z'), { month: '2026-01' })
  const own = again.find(({ installationId }) => installationId === home)!
  assert.deepEqual([own.outcome, own.amountDue], ['drafted', '37.20'])

  const leased = await site(database, installer)
  await plan(installer, leased, { kind: 'lease', rate: '100', customer: somebody() })
  await deletePlan(installer.as(new Date('2026-02-07T12:00:00Z')), leased)
  assert.deepEqual(done(await runOn('2026-03-02', leased)), [
    ['2026-01', 'drafted', '100.00'],
    ['2026-02', 'drafted', '25.00'],
  ])
})

test('a month that is held when the plan ends stays held, and is billed when somebody says so', async () => {
  const home = await site(database, installer)
  await plan(installer, home, { customer: somebody() })
  await made(database, installer, home, '2025-12-01', '2026-01-10', 10)
  assert.deepEqual(done(await runOn('2026-02-02', home)), [['2026-01', 'held', null]])
  await deletePlan(installer.as(new Date('2026-01-31T12:00:00Z')), home)
  assert.deepEqual(done(await runOn('2026-02-03', home)), [['2026-01', 'held', null]])
  const released = await billHeldMonth(
    installer.as(new Date('2026-02-03T12:00:00Z')),
    home,
    '2026-01',
    'measured',
  )
  assert.deepEqual([released.outcome, released.amountDue], ['drafted', '12.00'])
})

test('a draft of the plan follows what is measured after its end too', async () => {
  const home = await site(database, installer)
  await plan(installer, home, { customer: somebody() })
  await made(database, installer, home, '2026-01-01', '2026-01-31', 10)
  const [january] = await runOn('2026-02-02', home)
  await deletePlan(installer.as(new Date('2026-01-31T12:00:00Z')), home)
  await made(database, installer, home, '2026-01-20', '2026-01-20', 60)
  assert.deepEqual(done(await runOn('2026-02-03', home)), [['2026-01', 'redrafted', '43.20']])
  assert.equal((await read(january!.invoiceId)).amountDue, '43.20')
})

test('a plan that is set again takes up what is open', async () => {
  const customer = somebody()
  const home = await ended(customer)
  await plan(installer, home, { startDate: '2026-03-01', customer })
  await made(database, installer, home, '2026-01-20', '2026-01-20', 60)
  const outcomes = await runOn('2026-04-02', home)
  assert.deepEqual(done(outcomes), [['2026-03', 'drafted', '43.20']])
})

test('a new plan cannot begin so late that days between it and the old one are never billed', async () => {
  const customer = somebody()
  const home = await site(database, installer)
  await plan(installer, home, { customer, startDate: '2026-01-05' })
  // Nothing was billed by it yet: the start was a mistake.
  await plan(installer, home, { customer, startDate: '2026-01-20' })
  await plan(installer, home, { customer, startDate: '2026-01-01' })
  await made(database, installer, home, '2026-01-01', '2026-03-31', 10)
  const [january] = await runOn('2026-02-02', home)
  await finalize(january!.invoiceId)
  const late = plan(installer, home, { customer, startDate: '2026-03-01', rate: '0.15' })
  await assert.rejects(late, /billed until 2026-01-31.*Begin on 2026-02-01 or earlier/)
  await deletePlan(installer.as(new Date('2026-02-10T12:00:00Z')), home)
  await assert.rejects(plan(installer, home, { customer, startDate: '2026-02-11' }), /Begin on 2026-02-01/)
  const [last] = await runOn('2026-03-02', home)
  assert.deepEqual([last!.month, last!.outcome, last!.amountDue], ['2026-02', 'drafted', '12.00'])
  await finalize(last!.invoiceId)
  await plan(installer, home, { customer, startDate: '2026-03-15', rate: '0.15' })
  assert.deepEqual(done(await runOn('2026-04-02', home)), [['2026-03', 'drafted', '25.50']])
})
