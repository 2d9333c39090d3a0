import { type Context, reachOf } from '../context.ts'
import { searchWords } from '../leads/search-words.ts'
import { authorize } from '../policy.ts'
import { type InvoiceFilters, type ListedInvoice, listInvoices } from './list-queries.ts'

export interface InvoicesWanted extends Omit<InvoiceFilters, 'words'> {
  /** Words of a number, a name or an email address. */
  search?: string | undefined
  after: string | null
  limit: number
}

/** A page of the invoices, newest first; `next` is where it goes on. */
export async function pageOfInvoices(
  ctx: Context,
  { search = '', after, limit, ...filters }: InvoicesWanted,
): Promise<{ invoices: ListedInvoice[]; next: string | null }> {
  authorize(ctx.actor, 'billing.read')
  const wanted = { ...filters, words: searchWords(search) }
  const found = await listInvoices(ctx.db, reachOf(ctx), wanted, after, limit + 1)
  const invoices = found.slice(0, limit)
  return { invoices, next: found.length > limit ? invoices.at(-1)!.id : null }
}
