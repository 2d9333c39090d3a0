import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readInvoicePdf } from '../../domain/billing/invoices/read-invoice-pdf.ts'
import type { Deps } from '../deps.ts'
import { answers } from '../http/answers.ts'
import { contextOf } from '../http/authenticate.ts'
import { hangUp } from '../http/hang-up.ts'
import { NoQuery } from '../http/schema-words.ts'
import { InvoiceParams } from './billing-requests.ts'

interface WithId {
  Params: { id: string }
}

/**
 * `GET /billing/invoices/{id}/pdf`, and `GET /billing/invoices/{id}.pdf`, which is not described: whoever goes by the
 * description could not tell it from the address of an invoice.
 */
export function invoicePdfRoutes(app: FastifyInstance, deps: Deps): void {
  const sendPdf = async (request: FastifyRequest<WithId>, reply: FastifyReply) => {
    const { pdf, fileName } = await readInvoicePdf(contextOf(deps, request), request.params.id, hangUp(reply))
    return reply
      .header('content-type', 'application/pdf')
      .header('content-disposition', `inline; filename="${fileName}"`)
      .header('cache-control', 'private, no-store')
      .send(pdf)
  }
  const asked = { params: InvoiceParams, querystring: NoQuery }

  app.get<WithId>(
    '/billing/invoices/:id/pdf',
    {
      schema: {
        operationId: 'readInvoicePdf',
        tags: ['Billing'],
        summary: 'Read an invoice as PDF',
        description:
          'Letter or A4 by the installation’s country, else by the currency. A draft, a paid and a void one are marked as such. Latin, Greek, Cyrillic and more are shown; a sign that the font does not have is shown as �. Also under `/billing/invoices/{id}.pdf`.',
        ...asked,
        response: answers({ 200: [{ media: 'application/pdf' }, 'The invoice'] }, [400, 403, 404]),
      },
    },
    sendPdf,
  )
  app.get<WithId>('/billing/invoices/:id(^[^/]*?).pdf', { schema: { hide: true, ...asked } }, sendPdf)
}
