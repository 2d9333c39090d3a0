import { type Context, confinedTo } from '../../kernel/context.ts'
import { notFound } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import type { Credit } from '../credits/credit.ts'
import { findCreditOf } from '../credits/queries.ts'
import { listUses, type UsedCredit } from '../credits/use-queries.ts'
import type { Payment } from '../payments/payment.ts'
import { countPayments, listPayments } from '../payments/payment-queries.ts'
import { findOnceBilledInstallation } from '../plans/plan-queries.ts'
import type { Invoice } from './invoice.ts'
import { findInvoice } from './queries.ts'

export interface InvoiceWithPayments {
  invoice: Invoice
  payments: Payment[]
  /** How many there are: of very many the last are left out. */
  paymentCount: number
  /** Which credits it uses, or used before it was voided. */
  uses: UsedCredit[]
  /** What became of what was paid, where it is void. */
  credit: Credit | null
  installationName: string | null
}

const shownPayments = 200

/** An invoice with what was paid of it and credited. */
export async function readInvoiceWithPayments(ctx: Context, id: string): Promise<InvoiceWithPayments> {
  const { db, actor } = ctx
  authorize(actor, 'billing.read')
  const invoice = await findInvoice(db, actor.installerId, confinedTo(actor), id)
  if (!invoice) throw notFound('invoice')
  const { installerId, installationId } = invoice
  const [payments, paymentCount, uses, credit, installation] = await Promise.all([
    listPayments(db, { installerId, invoiceId: id, before: 0, limit: shownPayments }),
    countPayments(db, { installerId, invoiceId: id }),
    listUses(db, invoice),
    findCreditOf(db, { installerId, invoiceId: invoice.id }),
    installationId === null
      ? null
      : findOnceBilledInstallation(db, { installerId, companyId: null, id: installationId }),
  ])
  return { invoice, payments, paymentCount, uses, credit, installationName: installation?.name ?? null }
}
