import { searchWords } from '../../deals/leads/search-words.ts'
import { type Context, scopeOf } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { listing } from '../../kernel/listing.ts'
import { authorize } from '../../kernel/policy.ts'
import type { Invoice } from './invoice.ts'
import {
  type InvoiceFilters,
  type InvoicePlace,
  type InvoiceSorting,
  type ListedInvoice,
  listInvoices,
} from './list-queries.ts'

export interface InvoicesWanted extends Omit<InvoiceFilters, 'words'> {
  /** Words of a number, a name or an email address. */
  search?: string | undefined
  sorting: InvoiceSorting
  /** The `next` of the page before. */
  after: string | null
  limit: number
}

/** A page of the invoices; `next` is where it goes on. */
export const pageOfInvoices = listing(
  'anything',
  async (
    ctx: Context,
    { search = '', sorting, after, limit, ...filters }: InvoicesWanted,
  ): Promise<{ invoices: ListedInvoice[]; next: string | null }> => {
    authorize(ctx.actor, 'billing.read')
    const place = after === null ? null : placeOf(sorting, after)
    const found = await listInvoices(ctx.db, {
      ...scopeOf(ctx),
      ...filters,
      ...sorting,
      words: searchWords(search),
      afterKey: place?.key ?? null,
      afterId: place?.id ?? null,
      limit: limit + 1,
    })
    const invoices = found.slice(0, limit)
    return { invoices, next: found.length > limit ? nextOf(sorting, invoices.at(-1)!) : null }
  },
)

const none = 'infinity'

function nextOf({ by }: InvoiceSorting, { id, dueDate, amountDue }: Invoice): string {
  return by === 'made' ? id : `${by === 'due' ? (dueDate ?? none) : amountDue}~${id}`
}

function placeOf({ by }: InvoiceSorting, after: string): InvoicePlace {
  const [first, second] = after.split('~')
  if (by === 'made' && second === undefined) return { key: null, id: first! }
  const isKey = by === 'due' ? first === none || isDay(first!) : /^\d{1,12}(\.\d{1,2})?$/.test(first!)
  if (by !== 'made' && second !== undefined && isKey) return { key: first!, id: second }
  throw new DomainError('invalid', 'after must be the "next" of the page before, as it is.')
}

function isDay(text: string): boolean {
  try {
    return Temporal.PlainDate.from(text).toString() === text && text.length === 10
  } catch {
    return false
  }
}
