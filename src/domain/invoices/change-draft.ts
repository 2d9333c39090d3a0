import { isDeepStrictEqual } from 'node:util'
import type { Db } from '../../platform/db.ts'
import type { Context } from '../context.ts'
import { DomainError } from '../domain-error.ts'
import { requirePeriod } from './create-invoice.ts'
import type { BilledCustomer, Invoice } from './invoice.ts'
import { type NewLineItem, pricedLines, totalOf } from './line-items.ts'
import { currencyOf } from './money.ts'
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
export async function changeDraft(
  ctx: Context,
  id: string,
  patch: DraftPatch,
  seen?: number,
): Promise<Invoice> {
  const { currency, lineItems, ...kept } = patch
  const lines = lineItems && pricedLines(lineItems)
  const priced = lines && { lineItems: lines, amountDue: totalOf(lines) }
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
    const next = { ...changed, edited: true, version: invoice.version + 1 }
    await updateInvoice(tx, next)
    return next
  }
  return onInvoice(ctx, id, 'change', work, seen)
}
