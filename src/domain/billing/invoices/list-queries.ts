import type { Db } from '../../../platform/db.ts'
import { boolean, decimal, integer, type Row, row, text } from '../../../platform/sql/row.ts'
import { type Fragment, type Params, pick, raw, sql, when } from '../../../platform/sql/sql.ts'
import { many, one, run } from '../../../platform/sql/statements.ts'
import { holds, type SearchWords } from '../../deals/leads/search-words.ts'
import type { Scope } from '../../kernel/context.ts'
import type { Decimal } from '../../kernel/money.ts'
import { type Order, type Sorting, sorted } from '../../kernel/sorting.ts'
import { isCounted } from '../../kernel/tenant/clock-queries.ts'
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

/** So many of the first in an order are looked through for what is wanted, and so many in all are put in order. */
const few = 1_000

/**
 * How a page is found: along its order's index, or a filter's that is in the same order; among the first of the order; or
 * by putting in order all that one filter leaves, where that is little.
 */
type Way = 'order' | 'first' | 'words' | 'company' | 'status' | 'installation'

interface Wanted extends InvoiceFilters, InvoiceSorting, Scope {
  afterKey: string | null
  afterId: string | null
  limit: number
  way: Way
}

const listed: Row<ListedInvoice> = { columns: { ...invoiceRow.columns, installationName: text } }

const pageOfInvoices = many(listed, ($: Params<Wanted>) => {
  const { orderBy, isBehind } = sorted(orders, sql`i.id`, $)
  const ofCompany = when($.companyId, sql`and i.company_id = ${$.companyId}`)
  const ofStatus = when($.status, sql`and i.status = ${$.status}`)
  const ofInstallation = when($.installationId, sql`and i.installation_id = ${$.installationId}`)
  const wanted = sql`${ofStatus} ${when($.month, sql`and i.billed_month = ${$.month}`)} ${ofInstallation}
    ${holds(sql`i.search`, $.words)}`
  const all = sql`invoices i where i.installer_id = ${$.installerId}`
  const among = (found: Fragment) => sql`(${found}) i where true ${ofCompany} ${isBehind} ${wanted}`
  // There are no more than the limit: it tells the planner, which would read the whole table for a status or a company.
  const atMost = (by: Fragment) => among(sql`select * from ${all} ${by} order by i.id limit ${raw(few)}`)
  const found = pick($.way, {
    order: sql`${all} ${ofCompany} ${isBehind} ${wanted}`,
    first: sql`(select * from ${all} ${ofCompany} ${isBehind} ${orderBy} limit ${raw(few)}) i where true ${wanted}`,
    words: among(sql`select * from ${all} ${holds(sql`i.search`, $.words)} offset 0`),
    company: atMost(ofCompany),
    status: atMost(sql`${ofCompany} ${ofStatus}`),
    installation: among(sql`select * from ${all} ${ofInstallation} offset 0`),
  })
  return sql`select ${invoiceSelection}, installation.name as "installationName" from (
      select * from (select * from ${found} ${orderBy} limit ${raw(maxListed + 1)}) most limit ${$.limit}
    ) i left join lateral (
      select s.name from installations s where s.installer_id = ${$.installerId} and s.id = i.installation_id offset 0
    ) installation on true ${orderBy}`
})

/** Whether there are more in the order than are looked through. */
const goesOn = one(row<{ further: boolean }>({ further: boolean }), ($: Params<Wanted>) => {
  const { orderBy, isBehind } = sorted(orders, sql`i.id`, $)
  return sql`select exists (select from invoices i where i.installer_id = ${$.installerId}
    ${when($.companyId, sql`and i.company_id = ${$.companyId}`)} ${isBehind} ${orderBy} offset ${raw(few)}) as further`
})

/** How many invoices a company has, or all have, and how many of the status. */
const countListed = one(
  row<{ all: number; ofStatus: number }>({ all: integer, ofStatus: integer }),
  ($: Params<Pick<Scope, 'installerId' | 'companyId'> & { status: InvoiceStatus | undefined }>) => sql`
    select coalesce(sum(invoices), 0)::int as all,
      coalesce(sum(invoices) filter (where status = ${$.status}), 0)::int as "ofStatus"
    from invoice_counts where installer_id = ${$.installerId} ${when($.companyId, sql`and company_id = ${$.companyId}`)}`,
)

/** In an order, from behind one of them on. */
export async function listInvoices(db: Db, wanted: Omit<Wanted, 'way'>): Promise<ListedInvoice[]> {
  const { by, words, status, month, installationId, installerId, companyId, limit } = wanted
  const page = (way: Way) => pageOfInvoices(db, { ...wanted, way })
  if (installationId !== undefined) return page('installation')
  if (words.length === 0 && status === undefined && month === undefined) return page('order')
  const counts = await countListed(db, { installerId, companyId, status })
  if (companyId !== null && counts.all <= few) return page('company')
  if (status !== undefined && counts.ofStatus <= few) return page('status')
  const isIndexed = words.length === 0 && (month !== undefined || by !== 'amount' || companyId === null)
  if (isIndexed) return page('order')
  const found = await page('first')
  if (found.length === limit || !(await goesOn(db, { ...wanted, way: 'first' })).further) return found
  return page(words.length > 0 ? 'words' : 'order')
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

const isTheirs = ($: Params<Scope>) =>
  sql`installer_id = ${$.installerId} ${when($.companyId, sql`and company_id = ${$.companyId}`)}`

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
    select status, currency, sum(n)::int as invoices, sum(due) as due, sum(paid) as paid,
      coalesce(sum(n) filter (where status = 'open' and due_date < ${$.today}), 0)::int as overdue
    from (
      select status, currency, due_date, invoices as n, due, paid from invoice_sums where ${isTheirs($)} and ${isCounted($)}
      union all
      select status, currency, due_date, 1, amount_due, amount_paid from invoices where ${isTheirs($)} and not ${isCounted($)}
    ) sums
    group by status, currency having sum(n) > 0 order by currency, status`,
)

export const listWithEmptySums = many(
  row<{ installerId: string }>({ installerId: text }),
  () => sql`select distinct installer_id as "installerId" from invoice_sums where invoices = 0`,
  { across: 'who has days on which nothing is due any more' },
)

export const deleteEmptySums = run(
  ($: Params<{ installerId: string }>) =>
    sql`delete from invoice_sums where installer_id = ${$.installerId} and invoices = 0`,
)
