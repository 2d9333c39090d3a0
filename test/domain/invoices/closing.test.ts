import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { deleteDraft } from '../../../src/domain/invoices/delete-draft.ts'
import { finalizeInvoice } from '../../../src/domain/invoices/finalize-invoice.ts'
import { findInvoice } from '../../../src/domain/invoices/queries.ts'
import { removePlan } from '../../../src/domain/invoices/remove-plan.ts'
import { runDueMonths } from '../../../src/domain/invoices/run-due-months.ts'
import { runMonth } from '../../../src/domain/invoices/run-month.ts'
import { createTestDatabase } from '../../support/database.ts'
import { createWorld } from '../../support/factories.ts'
import { made, plan, site } from '../../support/invoices.ts'

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

/** Billed from January on at 0.12 a kWh and 10 kWh a day; January is final, and the plan ended on 10 February. */
async function ended(): Promise<string> {
  const home = await site(database, installer)
  await plan(installer, home)
  await made(database, installer, home, '2026-01-01', '2026-03-31', 10)
  const [january] = await runOn('2026-02-02', home)
  await finalize(january!.invoiceId)
  await removePlan(installer.as(new Date('2026-02-10T12:00:00Z')), home)
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
    [['True-up, 2026-01-01 to 2026-01-31: 360 kWh measured, 310 kWh billed before', '50', '0.12', '6.00']],
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

test('what was billed too much is shown as a credit, which a later closing invoice takes up', async () => {
  const home = await ended()
  await made(database, installer, home, '2026-01-20', '2026-01-20', 0)
  const [closing] = await runOn('2026-03-02', home)
  const { amountDue, carryOut, lineItems } = await read(closing!.invoiceId)
  assert.deepEqual([amountDue, carryOut], ['0.00', '1.20'])
  assert.deepEqual(lineItems.at(-1)!.description, 'Credit in the customer’s favour')
  assert.equal((await finalize(closing!.invoiceId)).status, 'paid')
  await made(database, installer, home, '2026-01-20', '2026-01-20', 30)
  assert.deepEqual(done(await runOn('2026-04-02', home)), [['2026-03', 'drafted', '2.40']])
})

test('a closing draft goes when the data is right again, and is not made anew when it was deleted', async () => {
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

test('a draft of the plan stays as it is after its end', async () => {
  const home = await site(database, installer)
  await plan(installer, home)
  await made(database, installer, home, '2026-01-01', '2026-01-31', 10)
  const [january] = await runOn('2026-02-02', home)
  await removePlan(installer.as(new Date('2026-01-31T12:00:00Z')), home)
  await made(database, installer, home, '2026-01-20', '2026-01-20', 60)
  assert.deepEqual(done(await runOn('2026-02-03', home)), [])
  assert.equal((await read(january!.invoiceId)).amountDue, '37.20')
})

test('a plan that is set again takes up what is open', async () => {
  const home = await ended()
  await plan(installer, home, { startDate: '2026-03-01' })
  await made(database, installer, home, '2026-01-20', '2026-01-20', 60)
  const outcomes = await runOn('2026-04-02', home)
  assert.deepEqual(done(outcomes), [['2026-03', 'drafted', '43.20']])
})
