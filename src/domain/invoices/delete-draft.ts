import type { Context } from '../context.ts'
import { releaseMonth } from './month-queries.ts'
import { onInvoice } from './on-invoice.ts'
import { deleteInvoice } from './queries.ts'

/** Deletes a draft, which never had a number. A month it billed is drafted anew only when that is asked for. */
export async function deleteDraft(ctx: Context, id: string): Promise<void> {
  await onInvoice(ctx, id, 'delete', async (tx, invoice) => {
    await releaseMonth(tx, invoice, 'its draft was deleted', ctx.now)
    await deleteInvoice(tx, invoice)
  })
}
