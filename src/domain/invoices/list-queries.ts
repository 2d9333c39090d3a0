import type { Db, Statement } from '../../platform/db.ts'
import type { Reach } from '../context.ts'
import type { Decimal } from '../leads/lead.ts'
import { type SearchWords, wordsShape } from '../leads/search-words.ts'
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

/** Newest first, from behind one of them on. */
export function listInvoices(
  db: Db,
  { installerId, companyId }: Reach,
  filters: InvoiceFilters,
  after: string | null,
  limit: number,
): Promise<ListedInvoice[]> {
  const values: unknown[] = [installerId, limit]
  const given = (value: unknown) => `$${values.push(value)}`
  const wanted: string[] = []
  const shape: string[] = []
  const want = (name: string, value: unknown, condition: (place: string) => string) => {
    if (value === undefined || value === null) return
    shape.push(name)
    wanted.push(condition(given(value)))
  }
  want('company', companyId, (place) => `i.company_id = ${place}`)
  want('status', filters.status, (place) => `i.status = ${place}`)
  want('month', filters.month, (place) => `i.billed_month = ${place}`)
  want('installation', filters.installationId, (place) => `i.installation_id = ${place}`)
  want('after', after, (place) => `i.id < ${place}`)
  if (filters.words.length > 0) shape.push(`words${wordsShape(filters.words)}`)
  for (const patterns of filters.words)
    wanted.push(`(${patterns.map((pattern) => `i.search like ${given(pattern)}`).join(' or ')})`)
  const statement: Statement = {
    name: ['list-invoices', ...shape].join('-by-'),
    text: `select ${invoiceColumns}, site.name as "installationName" from (
        select * from invoices i where ${['i.installer_id = $1', ...wanted].join(' and ')} order by i.id desc limit $2
      ) i left join lateral (
        select s.name from installations s where s.installer_id = $1 and s.id = i.installation_id offset 0
      ) site on true order by i.id desc`,
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
