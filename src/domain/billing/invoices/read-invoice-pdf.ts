import type { Readable } from 'node:stream'
import { createFairQueue } from '../../../platform/fair-queue.ts'
import { type Context, confinedTo, shareOf } from '../../kernel/context.ts'
import { notFound } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import { findLogo } from '../../tenants/companies/logo-queries.ts'
import { findCreditOf } from '../credits/queries.ts'
import { drawInvoice } from './draw-invoice.ts'
import { issue } from './finalize-invoice.ts'
import { findInvoice } from './queries.ts'

// Drawing is work for the processor: 90 ms for a few lines, 260 for 500. One at a time for a company, and two in all,
// leave it to others too.
const line = createFairQueue({
  atOnce: { all: 2, group: 1, owner: 1 },
  waiting: { all: 200, group: 60, owner: 40 },
  maxWaitMs: 20_000,
  maxWorkMs: 5_000,
})

/** An invoice as PDF, and what the file is called. */
export async function readInvoicePdf(
  ctx: Context,
  id: string,
  givenUp: AbortSignal,
): Promise<{ pdf: Readable; fileName: string }> {
  const { db, actor, now } = ctx
  authorize(actor, 'billing.read')
  const invoice = await findInvoice(db, actor.installerId, confinedTo(actor), id)
  if (!invoice) throw notFound('invoice')
  const issued = invoice.issued ?? (await issue(db, invoice, now)).issued
  const logo = await findLogo(db, invoice)
  const credit = await findCreditOf(db, { installerId: invoice.installerId, invoiceId: invoice.id })
  const draw = () => drawInvoice(invoice, issued, logo?.png ?? null, credit)
  const pdf = await line.run(shareOf(actor), draw, givenUp)
  return { pdf, fileName: `invoice-${invoice.number ?? invoice.id}.pdf` }
}
