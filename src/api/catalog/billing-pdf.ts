import type { FastifyInstance } from 'fastify'
import { readInvoicePdf } from '../../domain/billing/invoices/read-invoice-pdf.ts'
import type { Deps } from '../deps.ts'
import { answers } from '../http/answers.ts'
import { contextOf } from '../http/authenticate.ts'
import { hangUp } from '../http/hang-up.ts'
import { InvoiceParams, NothingAsked } from './billing-requests.ts'

/** `GET /billing/invoices/{id}.pdf` */
export function invoicePdfRoute(app: FastifyInstance, deps: Deps): void {
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
      const { pdf, fileName } = await readInvoicePdf(
        contextOf(deps, request),
        request.params.id,
        hangUp(reply),
      )
      return reply
        .header('content-type', 'application/pdf')
        .header('content-disposition', `inline; filename="${fileName}"`)
        .header('cache-control', 'private, no-store')
        .send(pdf)
    },
  )
}
