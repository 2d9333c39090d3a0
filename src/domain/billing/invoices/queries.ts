import type { Db, Statement } from '../../../platform/db.ts'
import { isId } from '../../../platform/ids.ts'
import type { NumberedList } from '../../kernel/numbered-lists.ts'
import { type Invoice, invoiceRecord } from './invoice.ts'

const columns = {
  companyId: 'company_id',
  installationId: 'installation_id',
  number: 'number',
  status: 'status',
  currency: 'currency',
  customer: 'customer',
  periodStart: 'period_start',
  periodEnd: 'period_end',
  dueDate: 'due_date',
  paymentTermDays: 'payment_term_days',
  lineItems: 'line_items',
  creditApplied: 'credit_applied',
  amountDue: 'amount_due',
  amountPaid: 'amount_paid',
  billingMonth: 'billing_month',
  edited: 'edited',
  carryIn: 'carry_in',
  carryOut: 'carry_out',
  issued: 'issued',
  version: 'version',
  createdAt: 'created_at',
  finalizedAt: 'finalized_at',
  paidAt: 'paid_at',
  voidedAt: 'voided_at',
} satisfies Partial<Record<keyof Invoice, string>>
const fields = Object.keys(columns) as (keyof typeof columns)[]
const names = [...Object.values(columns), 'rendering']

export const invoiceColumns = [
  'i.installer_id as "installerId", i.id',
  ...fields.map((field) => `i.${columns[field]} as "${field}"`),
].join(', ')

const json = new Set<keyof Invoice>(['customer', 'lineItems', 'issued'])

function valuesOf(invoice: Invoice): unknown[] {
  const values = fields.map((field) => {
    const value = invoice[field]
    return json.has(field) && value !== null ? JSON.stringify(value) : value
  })
  return [invoice.installerId, invoice.id, ...values, JSON.stringify(invoiceRecord(invoice))]
}

const placed = names.map((_, i) => `$${i + 3}`).join(', ')
const assigned = names.map((name, i) => `${name} = $${i + 3}`).join(', ')

const insertStatement: Statement = {
  name: 'insert-invoice',
  text: `with invoice as (
      insert into invoices (installer_id, id, ${names.join(', ')}) values ($1, $2, ${placed})
      returning company_id, status
    )
    insert into invoice_counts as c (installer_id, company_id, status, invoices, changes)
    select $1, company_id, status, 1, 1 from invoice
    on conflict (installer_id, company_id, status) do update set invoices = c.invoices + 1, changes = c.changes + 1`,
}

/** Also writes down how the API reads it. */
export async function insertInvoice(tx: Db, invoice: Invoice): Promise<void> {
  await tx.query(insertStatement, valuesOf(invoice))
}

const updateStatement: Statement = {
  name: 'update-invoice',
  text: `with before as (
      select company_id, status from invoices where installer_id = $1 and id = $2
    ), invoice as (
      update invoices set ${assigned} where installer_id = $1 and id = $2 returning company_id, status
    )
    insert into invoice_counts as c (installer_id, company_id, status, invoices, changes)
    select $1, m.company_id, m.status, m.invoices, 1
    from (select company_id, status, -1 as invoices from before union all select company_id, status, 1 from invoice) m
    where (select status from before) <> (select status from invoice)
    on conflict (installer_id, company_id, status)
      do update set invoices = c.invoices + excluded.invoices, changes = c.changes + 1`,
}

export async function updateInvoice(tx: Db, invoice: Invoice): Promise<void> {
  await tx.query(updateStatement, valuesOf(invoice))
}

const deleteStatement: Statement = {
  name: 'delete-invoice',
  text: `with invoice as (
      delete from invoices where installer_id = $1 and id = $2 and status = 'draft' returning company_id, status
    )
    update invoice_counts c set invoices = c.invoices - 1, changes = c.changes + 1 from invoice i
    where c.installer_id = $1 and c.company_id = i.company_id and c.status = i.status`,
}

export async function deleteInvoice(tx: Db, { installerId, id }: Invoice): Promise<void> {
  await tx.query(deleteStatement, [installerId, id])
}

const findStatement: Statement = {
  name: 'find-invoice',
  text: `select ${invoiceColumns} from invoices i
    where i.installer_id = $1 and i.id = $2 and ($3::text is null or i.company_id = $3)`,
}

/** `companyId` confines to one company's; null sees the whole tenant's. */
export async function findInvoice(
  db: Db,
  installerId: string,
  companyId: string | null,
  id: string,
): Promise<Invoice | null> {
  if (!isId(id, 'inv')) return null
  const [row] = await db.query<Invoice>(findStatement, [installerId, id, companyId])
  return row ?? null
}

const readStatement: Statement = {
  shared: 'read',
  name: 'read-invoice',
  text: `select rendering from invoices
    where installer_id = $1 and id = $2 and ($3::text is null or company_id = $3)`,
}

/** As the API reads it. */
export async function readInvoice(
  db: Db,
  installerId: string,
  companyId: string | null,
  id: string,
): Promise<string | null> {
  if (!isId(id, 'inv')) return null
  const [row] = await db.query<{ rendering: string }>(readStatement, [installerId, id, companyId])
  return row?.rendering ?? null
}

/** Newest first. */
export const invoiceList: NumberedList = {
  table: 'invoices',
  order: [{ name: 'id', type: 'text' }],
  listed: '',
  columns: 'l.rendering',
  json: 'r.rendering',
  found: '',
  joined: '',
  counts: { table: 'invoice_counts', column: 'invoices' },
}

const countStatement: Statement = {
  name: 'next-invoice-number',
  text: `insert into invoice_counters as c (installer_id, company_id, last_number) values ($1, $2, 1)
    on conflict (installer_id, company_id) do update set last_number = c.last_number + 1
    returning last_number as number`,
}

/** The company's next number; given back when the transaction does not commit. */
export async function nextNumber(tx: Db, installerId: string, companyId: string): Promise<number> {
  const [row] = await tx.query<{ number: number }>(countStatement, [installerId, companyId])
  return row!.number
}
