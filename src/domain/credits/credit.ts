import type { RecordEvent } from '../events/record-events.ts'
import type { BilledCustomer } from '../invoices/invoice.ts'
import type { PaymentMethod } from '../invoices/payment.ts'
import type { Decimal } from '../leads/lead.ts'

/** What a customer paid on an invoice that was voided, and what became of it. */
export interface Credit {
  installerId: string
  id: string
  companyId: string
  /** The invoice that was voided. */
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
