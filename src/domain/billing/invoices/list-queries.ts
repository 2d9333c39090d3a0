import type { Db } from '../../../platform/db.ts'
import { decimal, integer, type Row, row, text } from '../../../platform/sql/row.ts'
import { type Params, raw, sql, when } from '../../../platform/sql/sql.ts'
import { many } from '../../../platform/sql/statements.ts'
import { holds, type SearchWords } from '../../deals/leads/search-words.ts'
import type { Scope } from '../../kernel/context.ts'
import type { Decimal } from '../../kernel/money.ts'
import { type Order, type Sorting, sorted } from '../../kernel/sorting.ts'
import type { Invoice, InvoiceStatus } from './invoice.ts'
import { invoiceRow, invoiceSelection } from './queries.ts'

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

const orders: Record<InvoiceSorting['by'], Order> = {
  made: { key: null, type: '', descending: true },
  due: { key: sql`coalesce(i.due_date, 'infinity'::date)`, type: 'date', descending: false },
  amount: { key: sql`i.amount_due`, type: 'numeric', descending: true },
}

/** The most that a page has. As a parameter alone, a limit would be planned for as a tenth of the table. */
export const maxListed = 100

/** How many of the first in an order are looked through for those that are wanted, before all of these are found. */
const lookedThrough = 2_000

interface Wanted extends InvoiceFilters, InvoiceSorting, Scope {
  afterKey: string | null
  afterId: string | null
  limit: number
  /** Whether only the first in the order are looked through. */
  first: boolean
}

const listed: Row<ListedInvoice> = { columns: { ...invoiceRow.columns, installationName: text } }

const pageOfInvoices = many(listed, ($: Params<Wanted>) => {
  const { orderBy, isBehind } = sorted(orders, sql`i.id`, $)
  // What the order's own index knows, and what is looked for among those.
  const along = sql`i.installer_id = ${$.installerId} ${when($.companyId, sql`and i.company_id = ${$.companyId}`)} ${isBehind}`
  const wanted = sql`${when($.status, sql`and i.status = ${$.status}`)}
    ${when($.month, sql`and i.billed_month = ${$.month}`)}
    ${when($.installationId, sql`and i.installation_id = ${$.installationId}`)} ${holds(sql`i.search`, $.words)}`
  const found = when(
    $.first,
    sql`(select * from invoices i where ${along} ${orderBy} limit ${raw(lookedThrough)}) i where true ${wanted}`,
    sql`invoices i where ${along} ${wanted}`,
  )
  return sql`select ${invoiceSelection}, installation.name as "installationName" from (
      select * from (select * from ${found} ${orderBy} limit ${raw(maxListed + 1)}) most limit ${$.limit}
    ) i left join lateral (
      select s.name from installations s where s.installer_id = ${$.installerId} and s.id = i.installation_id offset 0
    ) installation on true ${orderBy}`
})

/** In an order, from behind one of them on. */
export async function listInvoices(db: Db, wanted: Omit<Wanted, 'first'>): Promise<ListedInvoice[]> {
  const { by, words, status, month, installationId, limit } = wanted
  const isNarrowed = words.length > 0 || [status, month, installationId].some((value) => value !== undefined)
  if (by !== 'made' && isNarrowed) {
    const found = await pageOfInvoices(db, { ...wanted, first: true })
    if (found.length === limit) return found
  }
  return pageOfInvoices(db, { ...wanted, first: false })
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

/** How many there are and what they come to, in each currency. */
export const sumInvoices = many(
  row<InvoiceSum>({
    status: text,
    currency: text,
    invoices: integer,
    due: decimal,
    paid: decimal,
    overdue: integer,
  }),
  ($: Params<Scope & { today: string }>) => sql`
    select status, currency, count(*)::int as invoices, sum(amount_due) as due, sum(amount_paid) as paid,
      (count(*) filter (where status = 'open' and due_date < ${$.today}))::int as overdue
    from invoices where installer_id = ${$.installerId} ${when($.companyId, sql`and company_id = ${$.companyId}`)}
    group by status, currency order by currency, status`,
)
