import { isDeepStrictEqual } from 'node:util'
import type { RecordEvent } from '../../journal/events/record-events.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import type { Decimal } from '../../kernel/money.ts'
import { minus, sumOf } from '../../kernel/money.ts'

export const invoiceStatuses = ['draft', 'open', 'paid', 'void'] as const
export type InvoiceStatus = (typeof invoiceStatuses)[number]

export interface BilledCustomer {
  name: string
  email: string | null
  address: string | null
}

export interface LineItem {
  description: string
  quantity: Decimal
  unit: string
  unitPrice: Decimal
  amount: Decimal
}

/** What the PDF says besides the record, as it was when the invoice was finalised. */
export interface Issued {
  company: string
  timezone: string
  /** The day, where the company works. */
  day: string
  installation: { name: string; address: string; region: string } | null
}

export interface Invoice {
  installerId: string
  id: string
  companyId: string
  installationId: string | null
  /** Null exactly while it is a draft. */
  number: string | null
  status: InvoiceStatus
  currency: string
  customer: BilledCustomer
  periodStart: string | null
  periodEnd: string | null
  /** Null in a draft: so many days after it is finalised as `paymentTermDays` says. */
  dueDate: string | null
  paymentTermDays: number
  lineItems: LineItem[]
  /** Of what the lines come to, so much is covered by the customer's credits; what is due is the rest. */
  creditApplied: Decimal
  amountDue: Decimal
  amountPaid: Decimal
  /** The first day of the month that a monthly run billed by it. */
  billingMonth: string | null
  /** Changed by hand: the monthly run leaves it as it is. */
  edited: boolean
  /** Credit taken over from earlier invoices, and left over for later ones. */
  carryIn: Decimal
  carryOut: Decimal
  issued: Issued | null
  /** Grows with every change. */
  version: number
  createdAt: Date
  /** By the tenant's clock. */
  updatedAt: Date
  finalizedAt: Date | null
  paidAt: Date | null
  voidedAt: Date | null
}

/** As the catalogue API reads it: money as numbers of whole cents. */
export function invoiceRecord(invoice: Invoice) {
  return {
    id: invoice.id,
    number: invoice.number,
    status: invoice.status,
    currency: invoice.currency,
    subtotal: Number(subtotalOf(invoice)),
    credit_applied: Number(invoice.creditApplied),
    amount_due: Number(invoice.amountDue),
    amount_paid: Number(invoice.amountPaid),
    amount_remaining: Number(remainingOf(invoice)),
    installation_id: invoice.installationId,
    customer: {
      name: invoice.customer.name,
      email: invoice.customer.email,
      address: invoice.customer.address,
    },
    period_start: invoice.periodStart,
    period_end: invoice.periodEnd,
    due_date: invoice.dueDate,
    line_items: invoice.lineItems.map((line) => ({
      description: line.description,
      quantity: Number(line.quantity),
      unit: line.unit,
      unit_price: Number(line.unitPrice),
      amount: Number(line.amount),
    })),
    created_at: invoice.createdAt.toISOString(),
    finalized_at: invoice.finalizedAt?.toISOString() ?? null,
    paid_at: invoice.paidAt?.toISOString() ?? null,
    voided_at: invoice.voidedAt?.toISOString() ?? null,
    updated_at: invoice.updatedAt.toISOString(),
  }
}

/** What the lines come to, before credits. */
export function subtotalOf({ lineItems }: Pick<Invoice, 'lineItems'>): Decimal {
  return sumOf(lineItems.map(({ amount }) => amount))
}

/** What is still to be paid: nothing on a void one. */
export function remainingOf({ status, amountDue, amountPaid }: Invoice): Decimal {
  return status === 'void' ? '0.00' : minus(amountDue, amountPaid)
}

export type InvoiceEvent =
  | 'invoice.created'
  | 'invoice.updated'
  | 'invoice.deleted'
  | 'invoice.finalized'
  | 'invoice.payment_recorded'
  | 'invoice.paid'
  | 'invoice.voided'

/** `before` is what it was, where it was there. */
export function invoiceEvent(type: InvoiceEvent, invoice: Invoice, before?: Invoice): RecordEvent {
  const { companyId, id, version } = invoice
  const event = { type, companyId, subjectId: id, data: { ...invoiceRecord(invoice), version } }
  return before ? { ...event, before: invoiceRecord(before), changes: changesOf(before, invoice) } : event
}

const publishedFields = [
  'number',
  'status',
  'currency',
  'customer',
  'periodStart',
  'periodEnd',
  'dueDate',
  'lineItems',
  'creditApplied',
  'amountDue',
  'amountPaid',
] as const

function changesOf(before: Invoice, invoice: Invoice): Record<string, [unknown, unknown]> {
  const changed = publishedFields.filter((field) => !isDeepStrictEqual(before[field], invoice[field]))
  return Object.fromEntries(changed.map((field) => [field, [before[field], invoice[field]]]))
}

/** What can be done with an invoice, in which status, and what is said otherwise. */
const rules = {
  change: { from: 'draft', otherwise: 'only a draft can be changed' },
  delete: { from: 'draft', otherwise: 'only a draft can be deleted' },
  finalize: { from: 'draft', otherwise: 'only a draft can be finalized' },
  pay: { from: 'open', otherwise: 'only an open invoice can be paid' },
  void: { from: 'open', otherwise: 'only an open invoice can be voided' },
} as const
export type InvoiceAction = keyof typeof rules

const next: Record<InvoiceStatus, string> = {
  draft: 'Finalize it first, or delete it.',
  open: 'Pay it or void it.',
  paid: 'A paid invoice stays as it is.',
  void: 'A void invoice stays as it is.',
}

export function requireStatusFor(action: InvoiceAction, { status }: Invoice): void {
  const { from, otherwise } = rules[action]
  if (status === from) return
  throw new DomainError('invalid', `This invoice is ${status}, and ${otherwise}. ${next[status]}`)
}
