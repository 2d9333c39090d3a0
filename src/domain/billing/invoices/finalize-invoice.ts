import { Big } from 'big.js'
import type { Db } from '../../../platform/db.ts'
import { type RecordEvent, recordEvents } from '../../journal/events/record-events.ts'
import type { Context } from '../../kernel/context.ts'
import { dayIn } from '../../kernel/days.ts'
import type { Decimal } from '../../kernel/money.ts'
import { cents, minus } from '../../kernel/money.ts'
import { takeTimes } from '../../kernel/tenant/clock-queries.ts'
import { findCompany } from '../../kernel/tenant/queries.ts'
import { createCredit, creditCreated } from '../credits/create-credit.ts'
import { creditFor, takeCredit } from '../credits/use-credit.ts'
import { findCreditBalance } from '../months/month-queries.ts'
import { findAnyPlan, findOnceBilledInstallation } from '../plans/plan-queries.ts'
import { type Invoice, type Issued, invoiceEvent } from './invoice.ts'
import { onInvoice } from './on-invoice.ts'
import { nextNumber, updateInvoice } from './queries.ts'

/**
 * Gives a draft its number and its due date, and takes up what its customer has been credited since it was drafted. The number is the company's and the next of its own, taken in the
 * same transaction under the tenant's lock: none is lost and none comes twice. What asks for nothing is paid at once.
 */
export async function finalizeInvoice(ctx: Context, id: string, seen?: number): Promise<Invoice> {
  const { actor, now } = ctx
  const work = async (tx: Db, draft: Invoice) => {
    const at = await takeTimes(tx, actor.installerId, now, 1)
    const { issued, companyNumber } = await issue(tx, draft, at)
    const sequence = await nextNumber(tx, draft.installerId, draft.companyId)
    const { amounts, uses } = await creditFor(tx, draft)
    const favour = await inFavour(tx, draft)
    const open: Invoice = {
      ...draft,
      ...amounts,
      carryOut: minus(draft.carryOut, favour),
      status: 'open',
      number: `${companyNumber}-${String(sequence).padStart(6, '0')}`,
      dueDate: draft.dueDate ?? daysAfter(issued.day, draft.paymentTermDays),
      issued,
      finalizedAt: at,
      updatedAt: at,
      version: draft.version + 1,
    }
    const events: RecordEvent[] = [invoiceEvent('invoice.finalized', open, draft)]
    const paid: Invoice | null =
      open.amountDue === '0.00' ? { ...open, status: 'paid', paidAt: at, version: open.version + 1 } : null
    if (paid) events.push(invoiceEvent('invoice.paid', paid, open))
    await updateInvoice(tx, paid ?? open)
    await takeCredit(tx, open, uses)
    if (favour !== '0.00')
      events.push(await creditCreated(tx, await createCredit(tx, actor, open, 'closing_invoice', favour, at)))
    await recordEvents(tx, actor, at, events)
    return paid ?? open
  }
  return onInvoice(ctx, id, 'finalize', work, seen)
}

/**
 * What the invoice leaves in its customer's favour where no later one of its plan will carry it over: that is theirs, to be
 * used by any other invoice or paid back. What another one has carried over already is not given twice.
 */
async function inFavour(tx: Db, invoice: Invoice): Promise<Decimal> {
  const { installerId, installationId, currency, carryOut } = invoice
  if (installationId === null || carryOut === '0.00') return '0.00'
  const key = { installerId, installationId }
  const plan = await findAnyPlan(tx, key)
  if (plan && plan.endedAt === null && plan.currency === currency) return '0.00'
  const { balance } = await findCreditBalance(tx, { ...key, currency, without: '' })
  const left = new Big(balance)
  if (left.lte(0)) return '0.00'
  return left.lt(carryOut) ? cents(left) : carryOut
}

/** The names on the invoice: as they are now, and as they stay once it is finalised. */
export async function issue(
  db: Db,
  invoice: Invoice,
  at: Date,
): Promise<{ issued: Issued; companyNumber: number }> {
  const { installerId, companyId, installationId } = invoice
  const company = (await findCompany(db, { idOrNumber: companyId }))!
  const installation =
    installationId === null
      ? null
      : await findOnceBilledInstallation(db, { installerId, companyId: null, id: installationId })
  return {
    companyNumber: company.number,
    issued: {
      company: company.name,
      timezone: company.timezone,
      day: dayIn(company.timezone, at),
      installation: installation && {
        name: installation.name,
        address: installation.address,
        region: installation.region,
      },
    },
  }
}

function daysAfter(day: string, days: number): string {
  return Temporal.PlainDate.from(day).add({ days }).toString()
}
