import type { Db } from '../../platform/db.ts'
import type { Context } from '../context.ts'
import type { Invoice } from './invoice.ts'
import { releaseMonth } from './month-queries.ts'
import { onInvoice } from './on-invoice.ts'
import { deleteInvoice } from './queries.ts'

/** Deletes a draft, which never had a number. A month it billed is drafted anew only when that is asked for. */
export async function deleteDraft(ctx: Context, id: string, seen?: number): Promise<void> {
  const work = async (tx: Db, invoice: Invoice) => {
    await releaseMonth(tx, invoice, 'its draft was deleted', ctx.now)
    await deleteInvoice(tx, invoice)
  }
  await onInvoice(ctx, id, 'delete', work, seen)
}
