import { isDeepStrictEqual } from 'node:util'
import type { Db } from '../../../platform/db.ts'
import { recordEvents } from '../../journal/events/record-events.ts'
import type { Context } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { currencyOf } from '../../kernel/money.ts'
import { takeTimes } from '../../kernel/tenant/clock-queries.ts'
import { creditFor, takeCredit } from '../credits/use-credit.ts'
import { requirePeriod } from './create-invoice.ts'
import { type BilledCustomer, type Invoice, invoiceEvent } from './invoice.ts'
import { type NewLineItem, pricedLines } from './line-items.ts'
import { onInvoice } from './on-invoice.ts'
import { updateInvoice } from './queries.ts'

/** Absent fields are kept; null clears what may be empty. */
export interface DraftPatch {
  customer?: BilledCustomer
  currency?: string
  periodStart?: string | null
  periodEnd?: string | null
  dueDate?: string | null
  lineItems?: NewLineItem[]
}

/** Changes a draft. The monthly run leaves it alone from then on. */
export async function updateDraft(
  ctx: Context,
  id: string,
  patch: DraftPatch,
  seen?: number,
): Promise<Invoice> {
  const { currency, lineItems, ...kept } = patch
  const priced = lineItems && { lineItems: pricedLines(lineItems) }
  const coined = currency === undefined ? {} : { currency: currencyOf(currency) }
  const work = async (tx: Db, invoice: Invoice) => {
    const changed: Invoice = { ...invoice, ...kept, ...coined, ...priced }
    requirePeriod(changed.periodStart, changed.periodEnd)
    // What it trues up and carries over is in that currency, and could not be found again in another.
    if (invoice.billingMonth !== null && changed.currency !== invoice.currency) {
      throw new DomainError(
        'invalid',
        `currency: the monthly draft is in ${invoice.currency}, as its plan is. Change the plan.`,
      )
    }
    if (isDeepStrictEqual(changed, invoice)) return invoice
    const at = await takeTimes(tx, ctx.actor.installerId, ctx.now, 1)
    const { amounts, uses } = await creditFor(tx, changed)
    const next = { ...changed, ...amounts, edited: true, version: invoice.version + 1, updatedAt: at }
    await updateInvoice(tx, next)
    await takeCredit(tx, next, uses)
    await recordEvents(tx, ctx.actor, at, [invoiceEvent('invoice.updated', next, invoice)])
    return next
  }
  return onInvoice(ctx, id, 'change', work, seen)
}
