import type { Db } from '../../platform/db.ts'
import type { Context } from '../context.ts'
import type { Invoice } from './invoice.ts'
import { releaseMonth } from './month-queries.ts'
import { commitInvoice, onInvoice } from './on-invoice.ts'

/** Takes an open invoice back. It keeps its number; a month it billed is drafted anew only when that is asked for. */
export async function voidInvoice(ctx: Context, id: string, seen?: number): Promise<Invoice> {
  const work = (tx: Db, invoice: Invoice) =>
    commitInvoice(tx, ctx, invoice, async (at) => {
      await releaseMonth(tx, invoice, `its invoice ${invoice.number} was voided`, at)
      return { invoice: { ...invoice, status: 'void', voidedAt: at }, events: ['invoice.voided'] }
    })
  return onInvoice(ctx, id, 'void', work, seen)
}
