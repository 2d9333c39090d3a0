import type { FastifyInstance } from 'fastify'
import { confinedTo } from '../../domain/context.ts'
import { notFound } from '../../domain/domain-error.ts'
import { drawInvoice } from '../../domain/invoices/draw-invoice.ts'
import { issue } from '../../domain/invoices/finalize-invoice.ts'
import { findInvoice } from '../../domain/invoices/queries.ts'
import { createWaitingLine } from '../../platform/waiting-line.ts'
import { answers } from '../http/answers.ts'
import type { Parts } from '../parts.ts'
import { InvoiceParams, NothingAsked } from './billing-requests.ts'

/** `GET /billing/invoices/{id}.pdf` */
export function invoicePdfRoute(app: FastifyInstance, { db }: Parts): void {
  // Drawing is work for the processor: 90 ms for a few lines, 260 for 500. One at a time leaves it to others too.
  const inLine = createWaitingLine({ concurrency: 1, maxWaiting: 100 })

  app.get<{ Params: { id: string } }>(
    '/billing/invoices/:id(^[^/]*?).pdf',
    {
      schema: {
        operationId: 'readInvoicePdf',
        tags: ['Billing'],
        summary: 'Read an invoice as PDF',
        description:
          'Letter or A4 by the installation’s country, else by the currency. A draft, a paid and a void one are marked as such. Latin, Greek, Cyrillic and more are shown; a sign that the font does not have is shown as �.',
        params: InvoiceParams,
        querystring: NothingAsked,
        response: answers({ 200: [{ media: 'application/pdf' }, 'The invoice'] }, [400, 403, 404]),
      },
    },
    async (request, reply) => {
      const { actor } = request.caller!
      const invoice = await findInvoice(db, actor.installerId, confinedTo(actor), request.params.id)
      if (!invoice) throw notFound('invoice')
      const issued = invoice.issued ?? (await issue(db, invoice, new Date())).issued
      const pdf = await inLine(() => drawInvoice(invoice, issued))
      return reply
        .header('content-type', 'application/pdf')
        .header('content-disposition', `inline; filename="invoice-${invoice.number ?? invoice.id}.pdf"`)
        .header('x-content-type-options', 'nosniff')
        .header('cache-control', 'private, no-store')
        .send(pdf)
    },
  )
}
