import type { Db, Statement } from '../../../platform/db.ts'
import type { Decimal } from '../../deals/leads/lead.ts'
import { type SearchWords, wordsShape } from '../../deals/leads/search-words.ts'
import type { Reach } from '../../kernel/context.ts'
import type { Sorting } from '../../kernel/sorting.ts'
import type { Invoice, InvoiceStatus } from './invoice.ts'
import { invoiceColumns } from './queries.ts'

/** Which invoices are wanted. */
export interface InvoiceFilters {
  status?: InvoiceStatus | undefined
  /** The first day of the month that they bill. */
  month?: string | undefined
  installationId?: string | undefined
  words: SearchWords
}

export type ListedInvoice = Invoice & { installationName: string | null }

/** The newest first, those due first, or the largest first. */
export const invoiceOrders = ['made', 'due', 'amount'] as const
export type InvoiceSorting = Sorting<(typeof invoiceOrders)[number]>

/** Where in a list one is: behind this invoice, as it stood then. */
export interface InvoicePlace {
  /** What its order goes by; of the newest first, that is the id alone. */
  key: string | null
  id: string
}

/** What each order goes by before the id, as its index has it; and whether it goes downwards. */
const orders: Record<InvoiceSorting['by'], { key: string | null; type: string; descending: boolean }> = {
  made: { key: null, type: '', descending: true },
  due: { key: `coalesce(i.due_date, 'infinity'::date)`, type: 'date', descending: false },
  amount: { key: 'i.amount_due', type: 'numeric', descending: true },
}

/** The most that a page has. As a parameter alone, a limit would be planned for as a tenth of the table. */
export const mostListed = 100

/** How many of the first in an order are looked through for those that are wanted, before all of these are found. */
const lookedThrough = 2_000

/** In an order, from behind one of them on. */
export async function listInvoices(
  db: Db,
  reach: Reach,
  filters: InvoiceFilters,
  sorting: InvoiceSorting,
  after: InvoicePlace | null,
  limit: number,
): Promise<ListedInvoice[]> {
  const { words, ...others } = filters
  const isNarrowed = words.length > 0 || Object.values(others).some((value) => value !== undefined)
  if (sorting.by !== 'made' && isNarrowed) {
    const found = await pageOf(db, reach, filters, sorting, after, limit, true)
    if (found.length === limit) return found
  }
  return pageOf(db, reach, filters, sorting, after, limit, false)
}

function pageOf(
  db: Db,
  { installerId, companyId }: Reach,
  filters: InvoiceFilters,
  { by, reversed }: InvoiceSorting,
  after: InvoicePlace | null,
  limit: number,
  first: boolean,
): Promise<ListedInvoice[]> {
  const values: unknown[] = [installerId, limit]
  const given = (value: unknown) => `$${values.push(value)}`
  // What the order's own index knows, and what is looked for among those.
  const along = ['i.installer_id = $1']
  const wanted: string[] = []
  const shape: string[] = [by, ...(reversed ? ['reversed'] : []), ...(first ? ['first'] : [])]
  const { key, type, descending } = orders[by]
  const way = descending === reversed ? 'asc' : 'desc'
  const keys = key ? [key, 'i.id'] : ['i.id']
  const sorted = `order by ${keys.map((one) => `${one} ${way}`).join(', ')}`
  const want = (name: string, value: unknown, condition: (place: string) => string) => {
    if (value === undefined || value === null) return
    shape.push(name)
    wanted.push(condition(given(value)))
  }
  if (companyId !== null) {
    shape.push('company')
    along.push(`i.company_id = ${given(companyId)}`)
  }
  if (after !== null) {
    shape.push('after')
    const beyond = way === 'asc' ? '>' : '<'
    along.push(
      key
        ? `(${key}, i.id) ${beyond} (${given(after.key)}::${type}, ${given(after.id)})`
        : `i.id ${beyond} ${given(after.id)}`,
    )
  }
  want('status', filters.status, (place) => `i.status = ${place}`)
  want('month', filters.month, (place) => `i.billed_month = ${place}`)
  want('installation', filters.installationId, (place) => `i.installation_id = ${place}`)
  if (filters.words.length > 0) shape.push(`words${wordsShape(filters.words)}`)
  for (const patterns of filters.words)
    wanted.push(`(${patterns.map((pattern) => `i.search like ${given(pattern)}`).join(' or ')})`)
  const statement: Statement = {
    name: ['list-invoices', ...shape].join('-by-'),
    text: `select ${invoiceColumns}, site.name as "installationName" from (
        select * from (select * from ${
          first
            ? `(select * from invoices i where ${along.join(' and ')} ${sorted} limit ${lookedThrough}) i
              where ${['true', ...wanted].join(' and ')}`
            : `invoices i where ${[...along, ...wanted].join(' and ')}`
        } ${sorted} limit ${mostListed + 1}) most limit $2
      ) i left join lateral (
        select s.name from installations s where s.installer_id = $1 and s.id = i.installation_id offset 0
      ) site on true ${sorted}`,
  }
  return db.query<ListedInvoice>(statement, values)
}

export interface InvoiceSum {
  status: InvoiceStatus
  currency: string
  invoices: number
  due: Decimal
  paid: Decimal
  /** Of those, so many were due before today. */
  overdue: number
}

const sums = (ofCompany: boolean): Statement => ({
  name: `sum-invoices${ofCompany ? '-of-company' : ''}`,
  text: `select status, currency, count(*)::int as invoices, sum(amount_due) as due, sum(amount_paid) as paid,
      (count(*) filter (where status = 'open' and due_date < $2))::int as overdue
    from invoices where installer_id = $1${ofCompany ? ' and company_id = $3' : ''}
    group by status, currency order by currency, status`,
})
const sumsOfTenant = sums(false)
const sumsOfCompany = sums(true)

/** How many there are and what they come to, in each currency. */
export function sumInvoices(db: Db, { installerId, companyId }: Reach, today: string): Promise<InvoiceSum[]> {
  return companyId === null
    ? db.query<InvoiceSum>(sumsOfTenant, [installerId, today])
    : db.query<InvoiceSum>(sumsOfCompany, [installerId, today, companyId])
}
