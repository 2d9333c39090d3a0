import type { RecordEvent } from '../../journal/events/record-events.ts'
import type { Decimal } from '../../kernel/money.ts'
import type { BilledCustomer } from '../invoices/invoice.ts'
import type { PaymentMethod } from '../payments/payment.ts'

/** Why there is one: an invoice was voided that had been paid on, or the last one of a plan found too much billed before. */
export type CreditReason = 'voided_invoice' | 'closing_invoice'

/** What a customer has paid too much, and what became of it. */
export interface Credit {
  installerId: string
  id: string
  companyId: string
  reason: CreditReason
  /** The invoice that it comes from. */
  invoiceId: string
  installationId: string | null
  currency: string
  customer: BilledCustomer
  amount: Decimal
  used: Decimal
  refunded: Decimal
  /** What is left to be used or paid back. */
  remaining: Decimal
  /** Grows with every change. */
  version: number
  createdAt: Date
}

export interface Refund {
  id: string
  amount: Decimal
  method: PaymentMethod | null
  reference: string | null
  on: string
  at: Date
  by: string | null
}

/** How much of a credit an invoice uses. */
export interface CreditUse {
  creditId: string
  amount: Decimal
}

/** `record` is the credit as the API then reads it. */
export function creditEvent(
  type: 'credit.created' | 'credit.refunded',
  { companyId, id, version }: Credit,
  record: object,
  changes: NonNullable<RecordEvent['changes']> = {},
): RecordEvent {
  return { type, companyId, subjectId: id, data: { ...record, version }, changes }
}
