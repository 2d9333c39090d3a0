import type { Readable } from 'node:stream'
import { createWaitingLine } from '../../platform/waiting-line.ts'
import { findLogo } from '../companies/logo-queries.ts'
import { type Context, confinedTo, requireRunner } from '../context.ts'
import { findCreditOf } from '../credits/queries.ts'
import { notFound } from '../domain-error.ts'
import { drawInvoice } from './draw-invoice.ts'
import { issue } from './finalize-invoice.ts'
import { findInvoice } from './queries.ts'

// Drawing is work for the processor: 90 ms for a few lines, 260 for 500. One at a time leaves it to others too.
const inLine = createWaitingLine({ concurrency: 1, maxWaiting: 100 })

/** An invoice as PDF, and what the file is called. */
export async function readPaper(ctx: Context, id: string): Promise<{ pdf: Readable; fileName: string }> {
  const { db, actor, now } = ctx
  requireRunner(actor, 'see invoices')
  const invoice = await findInvoice(db, actor.installerId, confinedTo(actor), id)
  if (!invoice) throw notFound('invoice')
  const issued = invoice.issued ?? (await issue(db, invoice, now)).issued
  const logo = await findLogo(db, invoice.installerId, invoice.companyId)
  const credit = await findCreditOf(db, invoice.installerId, invoice.id)
  const pdf = await inLine(() => drawInvoice(invoice, issued, logo?.png ?? null, credit))
  return { pdf, fileName: `invoice-${invoice.number ?? invoice.id}.pdf` }
}
