import { type Contact, contactOrNull } from '../../kernel/contact.ts'
import type { Column } from '../changes/column.ts'
import type { Lead } from './lead.ts'
import { normalisePhone } from './phone.ts'

/** How a lead is written: each column, its type, the field it belongs to, and its value. */
export const leadColumns: readonly Column<Lead>[] = [
  ['id', 'text', 'id', (l) => l.id],
  ['company_id', 'text', 'companyId', (l) => l.companyId],
  ['reference', 'text', 'reference', (l) => l.reference],
  ['product_line', 'text', 'productLine', (l) => l.productLine],
  ['status', 'text', 'status', (l) => l.status],
  ['archived', 'boolean', 'archived', (l) => l.archived],
  ['created_at', 'timestamptz', 'createdAt', (l) => l.createdAt.toISOString()],
  ['first_name', 'text', 'customer', (l) => l.customer.firstName],
  ['last_name', 'text', 'customer', (l) => l.customer.lastName],
  ['email', 'text', 'customer', (l) => l.customer.email],
  ['phone', 'text', 'customer', (l) => l.customer.phone],
  ['phone_e164', 'text', 'customer', (l) => normalisePhone(l.customer.phone, l.address.country)],
  ['co_first_name', 'text', 'coBorrower', (l) => l.coBorrower?.firstName],
  ['co_last_name', 'text', 'coBorrower', (l) => l.coBorrower?.lastName],
  ['co_email', 'text', 'coBorrower', (l) => l.coBorrower?.email],
  ['co_phone', 'text', 'coBorrower', (l) => l.coBorrower?.phone],
  ['line1', 'text', 'address', (l) => l.address.line1],
  ['line2', 'text', 'address', (l) => l.address.line2],
  ['city', 'text', 'address', (l) => l.address.city],
  ['state', 'text', 'address', (l) => l.address.state],
  ['postal_code', 'text', 'address', (l) => l.address.postalCode],
  ['country', 'text', 'address', (l) => l.address.country],
  ['utility_name', 'text', 'utility', (l) => l.utility.name],
  ['monthly_bill', 'numeric', 'utility', (l) => l.utility.monthlyBill],
  ['source_name', 'text', 'source', (l) => l.source.name],
  ['sub_source', 'text', 'source', (l) => l.source.subSource],
  ['external_id', 'text', 'externalId', (l) => l.externalId],
  ['notes', 'text', 'notes', (l) => l.notes],
  ['sales_rep_id', 'text', 'salesRepId', (l) => l.salesRepId],
  ['setter_id', 'text', 'setterId', (l) => l.setterId],
  ['project_id', 'text', 'projectId', (l) => l.projectId],
  ['erased_at', 'timestamptz', 'erasedAt', (l) => l.erasedAt?.toISOString()],
]

/** Reads a lead back from its columns. */
export function leadFrom(row: Record<string, unknown>): Lead {
  const text = (column: string) => (row[column] as string | null) ?? null
  const contact = (before: string): Contact => ({
    firstName: text(`${before}first_name`),
    lastName: text(`${before}last_name`),
    email: text(`${before}email`),
    phone: text(`${before}phone`),
  })
  return {
    installerId: text('installer_id')!,
    id: text('id')!,
    companyId: text('company_id')!,
    reference: text('reference'),
    productLine: text('product_line') as Lead['productLine'],
    status: text('status') as Lead['status'],
    archived: row.archived as boolean,
    createdAt: new Date(text('created_at')!),
    updatedAt: new Date(text('updated_at')!),
    customer: contact(''),
    coBorrower: contactOrNull(contact('co_')),
    address: {
      line1: text('line1'),
      line2: text('line2'),
      city: text('city'),
      state: text('state'),
      postalCode: text('postal_code'),
      country: text('country'),
    },
    utility: { name: text('utility_name'), monthlyBill: text('monthly_bill') },
    source: { name: text('source_name'), subSource: text('sub_source') },
    externalId: text('external_id'),
    notes: text('notes'),
    salesRepId: text('sales_rep_id'),
    setterId: text('setter_id'),
    projectId: text('project_id'),
    erasedAt: row.erased_at ? new Date(row.erased_at as string) : null,
  }
}
