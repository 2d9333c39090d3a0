import type { Db } from '../../../platform/db.ts'
import { isId } from '../../../platform/ids.ts'
import { isoText } from '../../../platform/sql/iso-text.ts'
import {
  boolean,
  columnName,
  day,
  decimal,
  instant,
  integer,
  json,
  row,
  select,
  text,
} from '../../../platform/sql/row.ts'
import { type Fragment, join, type Params, param, raw, sql } from '../../../platform/sql/sql.ts'
import { maybeOne, one, run } from '../../../platform/sql/statements.ts'
import { changedList } from '../../kernel/changed-lists.ts'
import { installationsList } from '../../kernel/installation-lists.ts'
import { numberedList } from '../../kernel/numbered-lists.ts'
import { type Invoice, invoiceRecord } from './invoice.ts'

export const invoiceRow = row<Invoice>({
  installerId: text,
  id: text,
  companyId: text,
  installationId: text,
  number: text,
  status: text,
  currency: text,
  customer: json,
  periodStart: day,
  periodEnd: day,
  dueDate: day,
  paymentTermDays: integer,
  lineItems: json,
  creditApplied: decimal,
  amountDue: decimal,
  amountPaid: decimal,
  billingMonth: day,
  edited: boolean,
  carryIn: decimal,
  carryOut: decimal,
  issued: json,
  version: integer,
  createdAt: instant,
  updatedAt: instant,
  finalizedAt: instant,
  paidAt: instant,
  voidedAt: instant,
})
// Invoices that are older than this column changed last when they entered their status.
const changedAt = (of: string): string =>
  `coalesce(${of}.updated_at, ${of}.voided_at, ${of}.paid_at, ${of}.finalized_at, ${of}.created_at)`
export const invoiceSelection = select(invoiceRow, 'i', { updatedAt: raw(changedAt('i')) })

type InvoiceId = Pick<Invoice, 'installerId' | 'id'>
type Written = Omit<Invoice, 'customer' | 'lineItems' | 'issued'> & {
  customer: string
  lineItems: string
  issued: string | null
  /** How the API reads it, but for the time of the change. */
  rendering: string
}

const written = [
  ...Object.keys(invoiceRow.columns).filter((name) => name !== 'installerId' && name !== 'id'),
  'rendering',
]
const names = join(written.map((name) => raw(columnName(name))))

/** What is kept of an invoice's status, currency and amounts; `due_date` is of open ones alone. */
export const summedDueDate = raw(
  `case when status = 'open' then coalesce(due_date, 'infinity') else 'infinity' end`,
)
const counted = sql`company_id, status, currency, ${summedDueDate} as due_date, amount_due, amount_paid`

/** Adds to what is kept: invoices that are there now, and takes away as they were before. */
const summed = ($: Params<InvoiceId>, { now, before }: { now?: Fragment; before?: Fragment }) => sql`sums as (
      insert into invoice_sums as s (installer_id, company_id, status, currency, due_date, invoices, due, paid)
      select ${$.installerId}, company_id, status, currency, due_date, sum(n), sum(n * amount_due), sum(n * amount_paid)
      from (${join(
        [now && sql`select 1 as n, * from ${now}`, before && sql`select -1 as n, * from ${before}`].filter(
          (rows) => rows !== undefined,
        ),
        ' union all ',
      )}) moved
      group by company_id, status, currency, due_date
      having (sum(n), sum(n * amount_due), sum(n * amount_paid)) <> (0, 0, 0)
      on conflict (installer_id, company_id, status, currency, due_date) do update
        set invoices = s.invoices + excluded.invoices, due = s.due + excluded.due, paid = s.paid + excluded.paid
    )`

const insertWritten = run(
  ($: Params<Written>) => sql`with invoice as (
      insert into invoices (installer_id, id, ${names})
      values (${$.installerId}, ${$.id}, ${join(written.map(param))}) returning ${counted}
    ), ${summed($, { now: sql`invoice` })}
    insert into invoice_counts as c (installer_id, company_id, status, invoices, changes)
    select ${$.installerId}, company_id, status, 1, 1 from invoice
    on conflict (installer_id, company_id, status) do update set invoices = c.invoices + 1, changes = c.changes + 1`,
)

/** Also writes down how the API reads it. */
export const insertInvoice = (tx: Db, invoice: Invoice): Promise<void> =>
  insertWritten(tx, asWritten(invoice))

const updateWritten = run(
  ($: Params<Written>) => sql`with before as (
      select ${counted} from invoices where installer_id = ${$.installerId} and id = ${$.id}
    ), invoice as (
      update invoices set ${join(written.map((name) => sql`${raw(columnName(name))} = ${param(name)}`))}
      where installer_id = ${$.installerId} and id = ${$.id} returning ${counted}
    ), ${summed($, { now: sql`invoice`, before: sql`before` })}
    insert into invoice_counts as c (installer_id, company_id, status, invoices, changes)
    select ${$.installerId}, m.company_id, m.status, m.invoices, 1
    from (select company_id, status, -1 as invoices from before union all select company_id, status, 1 from invoice) m
    where (select status from before) <> (select status from invoice)
    on conflict (installer_id, company_id, status)
      do update set invoices = c.invoices + excluded.invoices, changes = c.changes + 1`,
)

export const updateInvoice = (tx: Db, invoice: Invoice): Promise<void> =>
  updateWritten(tx, asWritten(invoice))

function asWritten(invoice: Invoice): Written {
  const { updated_at: _updatedAt, ...rendering } = invoiceRecord(invoice)
  return {
    ...invoice,
    customer: JSON.stringify(invoice.customer),
    lineItems: JSON.stringify(invoice.lineItems),
    issued: invoice.issued && JSON.stringify(invoice.issued),
    rendering: JSON.stringify(rendering),
  }
}

export const deleteInvoice = run(
  ($: Params<InvoiceId>) => sql`with invoice as (
      delete from invoices where installer_id = ${$.installerId} and id = ${$.id} and status = 'draft'
      returning ${counted}
    ), ${summed($, { before: sql`invoice` })}
    update invoice_counts c set invoices = c.invoices - 1, changes = c.changes + 1 from invoice i
    where c.installer_id = ${$.installerId} and c.company_id = i.company_id and c.status = i.status`,
)

/** One of a tenant's, or of one company's. */
type Named = InvoiceId & { companyId: string | null }
const named = ($: Params<Named>) =>
  sql`installer_id = ${$.installerId} and id = ${$.id} and (${$.companyId}::text is null or company_id = ${$.companyId})`

const invoiceById = maybeOne(
  invoiceRow,
  ($: Params<Named>) => sql`select ${invoiceSelection} from invoices i where ${named($)}`,
)

/** `companyId` confines to one company's; null sees the whole tenant's. */
export async function findInvoice(
  db: Db,
  installerId: string,
  companyId: string | null,
  id: string,
): Promise<Invoice | null> {
  return isId(id, 'inv') ? invoiceById(db, { installerId, companyId, id }) : null
}

const rendered = (of: string): Fragment =>
  sql`left(${raw(of)}.rendering, -1) || ',"updated_at":"' || ${isoText(changedAt(of))} || '"}'`

const renderingById = maybeOne(
  row<{ rendering: string }>({ rendering: text }),
  ($: Params<Named>) => sql`select ${rendered('i')} as rendering from invoices i where ${named($)}`,
  { shared: 'read' },
)

/** As the API reads it. */
export async function readInvoice(
  db: Db,
  installerId: string,
  companyId: string | null,
  id: string,
): Promise<string | null> {
  if (!isId(id, 'inv')) return null
  return (await renderingById(db, { installerId, companyId, id }))?.rendering ?? null
}

const listedInvoices = {
  table: 'invoices',
  columns: sql`${rendered('l')} as rendering`,
  json: sql`r.rendering`,
}

/** Newest first. */
export const invoiceList = numberedList(() => ({
  ...listedInvoices,
  order: { id: text },
  filters: ['status'],
  counts: { table: 'invoice_counts', column: 'invoices' },
}))

export const invoicesOfInstallation = installationsList(() => ({
  ...listedInvoices,
  order: { id: text },
  filters: ['status'],
}))

export const changedInvoices = changedList(() => ({
  ...listedInvoices,
  changed: changedAt('l'),
  ofInstallation: true,
  filters: ['status'],
}))

const countOn = one(
  row<{ number: number }>({ number: integer }),
  ($: Params<{ installerId: string; companyId: string }>) => sql`
    insert into invoice_counters as c (installer_id, company_id, last_number)
    values (${$.installerId}, ${$.companyId}, 1)
    on conflict (installer_id, company_id) do update set last_number = c.last_number + 1
    returning last_number as number`,
)

/** The company's next number; given back when the transaction does not commit. */
export async function nextNumber(tx: Db, installerId: string, companyId: string): Promise<number> {
  return (await countOn(tx, { installerId, companyId })).number
}
