import { type Context, confinedTo, requireRunner } from '../context.ts'
import { notFound } from '../domain-error.ts'
import type { Invoice } from './invoice.ts'
import { listPayments, type Payment } from './list-queries.ts'
import { findSite } from './plan-queries.ts'
import { findInvoice } from './queries.ts'

export interface InvoiceWithPayments {
  invoice: Invoice
  payments: Payment[]
  installationName: string | null
}

/** An invoice with what was paid of it. */
export async function readInvoiceWithPayments(ctx: Context, id: string): Promise<InvoiceWithPayments> {
  const { db, actor } = ctx
  requireRunner(actor, 'see invoices')
  const invoice = await findInvoice(db, actor.installerId, confinedTo(actor), id)
  if (!invoice) throw notFound('invoice')
  const { installerId, installationId } = invoice
  const [payments, site] = await Promise.all([
    listPayments(db, invoice),
    installationId === null ? null : findSite(db, installerId, null, installationId),
  ])
  return { invoice, payments, installationName: site?.name ?? null }
}
