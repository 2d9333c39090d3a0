import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { refundCredit } from '../../../../src/domain/billing/credits/refund-credit.ts'
import { createInvoice } from '../../../../src/domain/billing/invoices/create-invoice.ts'
import { deleteDraft } from '../../../../src/domain/billing/invoices/delete-draft.ts'
import { finalizeInvoice } from '../../../../src/domain/billing/invoices/finalize-invoice.ts'
import { updateDraft } from '../../../../src/domain/billing/invoices/update-draft.ts'
import { voidInvoice } from '../../../../src/domain/billing/invoices/void-invoice.ts'
import { billMonth } from '../../../../src/domain/billing/months/bill-month.ts'
import { payInvoice } from '../../../../src/domain/billing/payments/pay-invoice.ts'
import { deletePlan } from '../../../../src/domain/billing/plans/set-plan.ts'
import { DomainError } from '../../../../src/domain/kernel/domain-error.ts'
import { listWrongClocked } from '../../../../src/domain/operations/checks/clocked-counts.ts'
import { createTestDatabase } from '../../../support/database.ts'
import { createWorld } from '../../../support/factories.ts'
import { made, plan, planned, site } from '../../../support/invoices.ts'

const database = await createTestDatabase()
after(() => database.drop())
const { db, rows } = database
const { installer } = await createWorld(db)

const months = ['2026-01', '2026-02', '2026-03', '2026-04']
const lastDays = ['31', '28', '31', '30']
const now = new Date('2026-06-02T12:00:00Z')
/** A plan that ends within the third month bills its days until then; the fourth is a closing invoice. */
const end = new Date('2026-03-15T18:00:00Z')
const centsOf = (money: string) => Math.round(Number(money) * 100)

/** What is done, in any order; `at` chooses among what is there, `share` how much of it. */
type Step =
  | { do: 'measure'; month: number; day: number; kwh: number }
  | { do: 'run'; month: number }
  | { do: 'create'; units: number }
  | { do: 'edit' | 'delete' | 'finalize'; at: number }
  | { do: 'pay' | 'refund'; at: number; share: number }
  | { do: 'void'; at: number; refund: boolean }
  | { do: 'end' }

const at = fc.nat(20)
const share = fc.integer({ min: 1, max: 5 })
const month = fc.nat(2)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('measure' as const),
    month,
    day: fc.nat(27),
    kwh: fc.integer({ min: 0, max: 900 }),
  }),
  { weight: 3, arbitrary: fc.record({ do: fc.constant('run' as const), month }) },
  fc.record({ do: fc.constant('create' as const), units: fc.integer({ min: 0, max: 200 }) }),
  fc.record({ do: fc.constantFrom('edit' as const, 'delete' as const), at }),
  { weight: 3, arbitrary: fc.record({ do: fc.constant('finalize' as const), at }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pay' as const), at, share }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('void' as const), at, refund: fc.boolean() }) },
  fc.record({ do: fc.constant('refund' as const), at, share }),
  fc.record({ do: fc.constant('end' as const) }),
)
/** Most come one after the other, some two or three at once. */
const story = fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 4, maxLength: 18 })

/** What every story begins with, so that there is something to void, to credit and to finalise: 31 billed, 16 paid, a draft. */
const beginning: Step[] = [
  { do: 'run', month: 0 },
  { do: 'finalize', at: 0 },
  { do: 'pay', at: 0, share: 2 },
  { do: 'run', month: 1 },
]

/** The customer's account as a child would keep it: what was billed, what was paid, what was paid back. */
interface Account {
  paid: number
  paidBack: number
}

interface Kept {
  id: string
  status: string
  number: string | null
  due: string
  paid: string
  credit: string
  lines: { unit: string; amount: string }[]
  carryIn: string
  carryOut: string
  edited: boolean
}

async function customer(name: string) {
  const home = await site(database, installer, { name })
  const who = { name, email: `${name}@example.com`, address: null }
  await plan(installer, home, { rate: '0.1', customer: who })
  for (const [i, month] of months.entries())
    await made(database, installer, home, `${month}-01`, `${month}-${lastDays[i]}`, 10)
  const ctx = () => installer.as(now)
  const account: Account = { paid: 0, paidBack: 0 }

  const invoices = () =>
    rows<Kept>(
      `select id, status, number, amount_due as due, amount_paid as paid, credit_applied as credit, line_items as lines,
        carry_in as "carryIn", carry_out as "carryOut", edited from invoices where customer->>'name' = $1 order by id`,
      [name],
    )
  const credits = () =>
    rows<{ id: string; reason: string; amount: string; used: string; refunded: string }>(
      `select id, reason, amount, used, refunded from credits where customer->>'name' = $1 order by id`,
      [name],
    )
  const one = async (index: number, status: string) => {
    const some = (await invoices()).filter((invoice) => invoice.status === status)
    return some[index % some.length]
  }
  const run = async (month: string) =>
    billMonth(db, now, await planned(database, installer, home), `${month}-01`)

  async function take(step: Step): Promise<void> {
    if (step.do === 'measure') {
      const day = `${months[step.month]}-${String(step.day + 1).padStart(2, '0')}`
      await made(database, installer, home, day, day, step.kwh)
    } else if (step.do === 'run') await run(months[step.month]!)
    else if (step.do === 'end') await deletePlan(installer.as(end), home)
    else if (step.do === 'create') {
      const line = { description: 'Visit', quantity: '1', unit: 'each', unitPrice: String(step.units) }
      const where = step.units % 2 === 0 ? { installationId: home } : { customer: who }
      await createInvoice(ctx(), { ...where, lineItems: [line] })
    } else if (step.do === 'refund') {
      const some = (await credits()).filter(
        ({ amount, used, refunded }) => Number(amount) > Number(used) + Number(refunded),
      )
      const credit = some[step.at % some.length]
      if (!credit) return
      const left = centsOf(credit.amount) - centsOf(credit.used) - centsOf(credit.refunded)
      const amount = Math.ceil(left / step.share)
      await refundCredit(ctx(), credit.id, { amount: (amount / 100).toFixed(2) })
      account.paidBack += amount
    } else {
      const invoice = await one(step.at, step.do === 'pay' || step.do === 'void' ? 'open' : 'draft')
      if (!invoice) return
      if (step.do === 'edit') await updateDraft(ctx(), invoice.id, { dueDate: `2026-07-${10 + step.at}` })
      if (step.do === 'delete') await deleteDraft(ctx(), invoice.id)
      if (step.do === 'finalize') await finalizeInvoice(ctx(), invoice.id)
      if (step.do === 'pay') {
        const amount = Math.ceil((centsOf(invoice.due) - centsOf(invoice.paid)) / step.share)
        await payInvoice(ctx(), invoice.id, { amount: (amount / 100).toFixed(2) })
        account.paid += amount
      }
      if (step.do === 'void') {
        // What is refunded is what was paid when it is voided, not when it was looked at.
        await voidInvoice(ctx(), invoice.id, step.refund && invoice.paid !== '0.00' ? { refund: {} } : {})
        const [credit] = await rows<{ refunded: string }>(
          'select refunded from credits where invoice_id = $1',
          [invoice.id],
        )
        if (step.refund && invoice.paid !== '0.00') account.paidBack += centsOf(credit!.refunded)
      }
    }
  }

  /** Refused is fine where others were quicker; anything else is not. */
  async function takeAll(steps: Step[]): Promise<void> {
    const taken = await Promise.allSettled(steps.map(take))
    for (const result of taken) {
      if (result.status === 'rejected' && !(result.reason instanceof DomainError)) throw result.reason
    }
  }

  return { home, name, account, invoices, credits, run, takeAll, ctx }
}
type Customer = Awaited<ReturnType<typeof customer>>

const sum = <T>(of: readonly T[], value: (one: T) => number) =>
  of.reduce((total, one) => total + value(one), 0)

/** What must hold after every step. */
async function assertSound({ account, invoices, credits, name }: Customer): Promise<void> {
  const all = await invoices()
  const given = await credits()
  for (const { id, status, due, paid, credit, lines } of all) {
    const subtotal = sum(lines, ({ amount }) => centsOf(amount))
    assert.equal(
      centsOf(due) + centsOf(credit),
      subtotal,
      `${id}: the lines, less the credit, are what is due`,
    )
    assert.ok(centsOf(paid) >= 0 && centsOf(paid) <= centsOf(due), `${id}: no more is paid than is due`)
    assert.equal(
      status === 'paid',
      status !== 'draft' && status !== 'void' && paid === due,
      `${id}: paid exactly when paid`,
    )
  }
  const live = all.filter(({ status }) => status === 'open' || status === 'paid')
  const billed = sum(live, ({ lines }) => sum(lines, ({ amount }) => centsOf(amount)))
  const owed = sum(live, ({ due, paid }) => centsOf(due) - centsOf(paid))
  const left = sum(given, (one) => centsOf(one.amount) - centsOf(one.used) - centsOf(one.refunded))
  const reserved = sum(
    all.filter(({ status }) => status === 'draft'),
    ({ credit }) => centsOf(credit),
  )
  // What a closing invoice leaves in the customer's favour stands on it as a line that brings it to nothing.
  const closed = sum(
    given.filter(({ reason }) => reason === 'closing_invoice'),
    ({ amount }) => centsOf(amount),
  )
  assert.equal(
    owed - left - reserved,
    billed - closed - account.paid + account.paidBack,
    'invoices less credits less payments',
  )
  assert.equal(
    sum(given, ({ refunded }) => centsOf(refunded)),
    account.paidBack,
  )
  const [mismatches] = await rows<{ count: number }>(
    `select count(*)::int from credits c where c.customer->>'name' = $1 and c.used <> (
      select coalesce(sum(u.amount), 0) from credit_uses u join invoices i on i.installer_id = u.installer_id and i.id = u.invoice_id
      where u.installer_id = c.installer_id and u.credit_id = c.id and u.released_at is null and i.status <> 'void'
        and i.customer->>'name' = $1)`,
    [name],
  )
  assert.equal(mismatches!.count, 0, 'what is used of a credit is in live invoices of its customer, once')
  const [uncovered] = await rows<{ count: number }>(
    `select count(*)::int from invoices i where i.customer->>'name' = $1 and i.status <> 'void' and (i.credit_applied, i.amount_paid) <> (
      (select coalesce(sum(u.amount), 0) from credit_uses u where u.installer_id = i.installer_id and u.invoice_id = i.id),
      (select coalesce(sum(p.amount), 0) from invoice_payments p where p.installer_id = i.installer_id and p.invoice_id = i.id))`,
    [name],
  )
  assert.equal(uncovered!.count, 0, 'credits and payments of an invoice are on record')
  assert.deepEqual(
    await listWrongClocked(db, installer.company.id, false),
    [],
    'what is kept is what there is',
  )
}

/** In the end every month is run and finalised: each kWh is billed once, at what it was measured last. */
async function assertEnergyBilledOnce({ home, run, invoices, ctx }: Customer): Promise<void> {
  const last = months.at(-1)!
  for (const some of [months.filter((month) => month !== last), [last]]) {
    for (const month of some) await run(month)
    for (const { id, status } of await invoices()) if (status === 'draft') await finalizeInvoice(ctx(), id)
  }
  const energy = await rows<{ billed: number; measured: number }>(
    `select sum(b.microkwh)::bigint as billed, (select sum(d.microkwh)::bigint from installation_days d
        where d.installer_id = $1 and d.installation_id = $2 and d.day between b.first_day and b.last_day) as measured
      from billed_energy b join invoices i on i.installer_id = b.installer_id and i.id = b.invoice_id and i.status <> 'void'
      where b.installer_id = $1 and b.installation_id = $2 group by b.first_day, b.last_day`,
    [installer.company.id, home],
  )
  assert.ok(energy.length >= months.length - 1)
  for (const { billed, measured } of energy) assert.equal(billed, measured)
}

async function assertNoGap(): Promise<void> {
  const numbers = await rows<{ n: number }>(
    `select right(number, 6)::int as n from invoices where number is not null order by n`,
  )
  assert.deepEqual(
    numbers.map(({ n }) => n),
    numbers.map((_, i) => i + 1),
    'numbers have no gap and no double',
  )
}

let customers = 0

test('whatever is run, measured late, ended, paid, credited, refunded, voided and deleted in whatever order: the account is right', async () => {
  const until = performance.now() + 10_000
  await fc.assert(
    fc.asyncProperty(story, async (steps) => {
      // Bounded in time: a slow machine tries fewer stories, a fast one not more than these.
      if (customers >= 3 && performance.now() > until) return
      const who = await customer(`customer${++customers}`)
      for (const begin of beginning) await who.takeAll([begin])
      for (const some of steps) {
        await who.takeAll(some)
        await assertSound(who)
      }
      await assertEnergyBilledOnce(who)
      await assertSound(who)
      await assertNoGap()
    }),
    { numRuns: 25, endOnFailure: true },
  )
  assert.ok(customers >= 3, `only ${customers} stories were tried`)
})
