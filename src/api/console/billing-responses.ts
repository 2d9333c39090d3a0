import { Big } from 'big.js'
import type { ListedCredit } from '../../domain/billing/credits/queries.ts'
import type { BilledCustomer, InvoiceStatus, LineItem } from '../../domain/billing/invoices/invoice.ts'
import { remainingOf, subtotalOf } from '../../domain/billing/invoices/invoice.ts'
import type { ListedInvoice } from '../../domain/billing/invoices/list-queries.ts'
import type { InvoiceWithPayments } from '../../domain/billing/invoices/read-invoice.ts'
import type { BillingSummary } from '../../domain/billing/invoices/sum-billing.ts'
import type { MonthOutcome } from '../../domain/billing/months/bill-month.ts'
import type { Payment, PaymentMethod } from '../../domain/billing/payments/payment.ts'
import type { PlanKind } from '../../domain/billing/plans/plan.ts'
import type { InstallationPlan, UnbilledMonth } from '../../domain/billing/plans/plan-list-queries.ts'
import type { RunReport } from '../../domain/billing/runs/read-run.ts'
import type { BillingRun, RunOutcome } from '../../domain/billing/runs/run.ts'
import type { OutcomeRow } from '../../domain/billing/runs/run-queries.ts'
import { type LongJobResponse, longJobResponse } from './long-jobs.ts'

export type { BillingSummary, InvoiceStatus, LineItem, OutcomeRow, PaymentMethod, PlanKind, RunOutcome }

/** Money is a text everywhere: exact, to the cent. */
export interface InvoiceResponse {
  id: string
  companyId: string
  number: string | null
  status: InvoiceStatus
  currency: string
  customer: BilledCustomer
  installation: { id: string; name: string } | null
  periodStart: string | null
  periodEnd: string | null
  dueDate: string | null
  /** What the lines come to; less the credit, it is what is due. */
  subtotal: string
  creditApplied: string
  amountDue: string
  amountPaid: string
  amountRemaining: string
  createdAt: string
}

export interface InvoicesResponse {
  invoices: InvoiceResponse[]
  next: string | null
}

export interface InvoiceRead extends InvoiceResponse {
  version: number
  lineItems: LineItem[]
  paymentTermDays: number
  /** As YYYY-MM, where a monthly run made it. */
  billingMonth: string | null
  edited: boolean
  finalizedAt: string | null
  paidAt: string | null
  voidedAt: string | null
  payments: (Omit<Payment, 'at'> & { at: string })[]
  paymentCount: number
  /** Which credits it uses, by the invoices that they come from. */
  uses: { creditId: string; amount: string; invoiceId: string; number: string }[]
  /** What became of what was paid on it, where it is void, or what it left in the customer's favour. */
  credit: Pick<CreditResponse, 'id' | 'reason' | 'amount' | 'used' | 'refunded' | 'remaining'> | null
}

export interface CreditResponse
  extends Pick<
    ListedCredit,
    | 'id'
    | 'reason'
    | 'invoiceId'
    | 'number'
    | 'currency'
    | 'customer'
    | 'amount'
    | 'used'
    | 'refunded'
    | 'remaining'
    | 'version'
    | 'uses'
    | 'refunds'
  > {
  createdAt: string
}

export interface CreditsResponse {
  credits: CreditResponse[]
  next: string | null
}

export interface PlanResponse {
  kind: PlanKind
  rate: string
  escalatorPercent: string
  startDate: string
  currency: string
  customer: BilledCustomer
  paymentTermDays: number
  completenessPercent: string
  endedAt: string | null
}

export interface InstallationPlanResponse extends Omit<InstallationPlan, 'plan'> {
  plan: PlanResponse | null
}

export interface PlansResponse {
  installations: InstallationPlanResponse[]
  next: string | null
}

export interface UnbilledResponse {
  months: (Omit<UnbilledMonth, 'at'> & { at: string })[]
  next: string | null
}

/** What came of a month that was released. */
export type BilledMonthResponse = Pick<MonthOutcome, 'outcome' | 'invoiceId' | 'detail'>

export interface RunResponse extends LongJobResponse, Pick<BillingRun, 'companyId' | 'actorName'> {
  /** As YYYY-MM. */
  month: string
  createdAt: string
  endedAt: string | null
}

export interface RunRead extends Pick<RunReport, 'counts' | 'outcomes' | 'next'> {
  run: RunResponse
}

export function invoiceResponse(invoice: ListedInvoice): InvoiceResponse {
  const { id, companyId, number, status, currency, customer, installationId, installationName } = invoice
  const { periodStart, periodEnd, dueDate, creditApplied, amountDue, amountPaid } = invoice
  return {
    ...{ id, companyId, number, status, currency, customer, periodStart, periodEnd, dueDate },
    subtotal: subtotalOf(invoice),
    ...{ creditApplied, amountDue, amountPaid, amountRemaining: remainingOf(invoice) },
    installation: installationId === null ? null : { id: installationId, name: installationName ?? '' },
    createdAt: invoice.createdAt.toISOString(),
  }
}

export function invoiceRead(read: InvoiceWithPayments): InvoiceRead {
  const { invoice, payments, paymentCount, uses, credit, installationName } = read
  const at = (time: Date | null) => time?.toISOString() ?? null
  return {
    ...invoiceResponse({ ...invoice, installationName }),
    version: invoice.version,
    lineItems: invoice.lineItems,
    paymentTermDays: invoice.paymentTermDays,
    billingMonth: invoice.billingMonth?.slice(0, 7) ?? null,
    edited: invoice.edited,
    finalizedAt: at(invoice.finalizedAt),
    paidAt: at(invoice.paidAt),
    voidedAt: at(invoice.voidedAt),
    payments: payments.map((payment) => ({ ...payment, at: payment.at.toISOString() })),
    paymentCount,
    uses,
    credit: credit && {
      id: credit.id,
      reason: credit.reason,
      amount: credit.amount,
      used: credit.used,
      refunded: credit.refunded,
      remaining: credit.remaining,
    },
  }
}

export function creditResponse(credit: ListedCredit): CreditResponse {
  const { id, invoiceId, number, currency, customer, amount, used, refunded, remaining } = credit
  const { reason, version, uses, refunds, createdAt } = credit
  return {
    ...{ id, invoiceId, number, currency, customer, amount, used, refunded, remaining },
    ...{ reason, version, uses, refunds },
    createdAt: createdAt.toISOString(),
  }
}

export function planResponse({ plan, ...installation }: InstallationPlan): InstallationPlanResponse {
  if (!plan) return { ...installation, plan: null }
  const { kind, startDate, currency, customer, paymentTermDays, endedAt } = plan
  return {
    ...installation,
    plan: {
      ...{ kind, startDate, currency, customer, paymentTermDays },
      rate: plain(plan.rate),
      escalatorPercent: plain(plan.escalatorPercent),
      completenessPercent: plain(plan.completenessPercent),
      endedAt: endedAt?.toISOString() ?? null,
    },
  }
}

/** Without the idle zeros that the database writes. */
const plain = (number: string) => new Big(number).toFixed()

export function runResponse(run: BillingRun): RunResponse {
  const { companyId, actorName, input, createdAt, endedAt } = run
  return {
    ...longJobResponse(run),
    companyId,
    actorName,
    month: input.month.slice(0, 7),
    createdAt: createdAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
  }
}
