import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { finalizeInvoice } from '../../domain/billing/invoices/finalize-invoice.ts'
import { type Invoice, invoiceRecord } from '../../domain/billing/invoices/invoice.ts'
import { findInvoice, readInvoice } from '../../domain/billing/invoices/queries.ts'
import { voidInvoice } from '../../domain/billing/invoices/void-invoice.ts'
import { payInvoice } from '../../domain/billing/payments/pay-invoice.ts'
import { paymentRecord } from '../../domain/billing/payments/payment.ts'
import { countPayments, listPayments } from '../../domain/billing/payments/payment-queries.ts'
import { type Context, confinedTo } from '../../domain/kernel/context.ts'
import { notFound } from '../../domain/kernel/domain-error.ts'
import type { Deps } from '../deps.ts'
import { answers } from '../http/answers.ts'
import { contextOf } from '../http/authenticate.ts'
import { keyOf, sendAnswered } from '../http/idempotency.ts'
import { NoBody, NoQuery } from '../http/schema-words.ts'
import { sendJson } from '../http/send-json.ts'
import { transferOf } from './billing-mapping.ts'
import { InvoiceParams, PagesQuery, PaymentBody, VoidBody } from './billing-requests.ts'
import { listBody, pageWanted } from './paging.ts'

interface WithId {
  Params: { id: string }
}
type Call<Body> = FastifyRequest<WithId & { Body: Body }>

export const invoiceOf = ({ db, actor }: Context, { params }: FastifyRequest) =>
  readInvoice(db, actor.installerId, confinedTo(actor), (params as WithId['Params']).id)

const sendInvoice = (reply: FastifyReply, invoice: Invoice) =>
  sendJson(reply, JSON.stringify(invoiceRecord(invoice)))

/** What is done with an invoice, and what was paid of it. */
export function invoiceActionRoutes(app: FastifyInstance, deps: Deps): void {
  const action = <Body>(
    name: string,
    summary: string,
    description: string,
    schema: object,
    work: (request: Call<Body>, reply: FastifyReply) => Promise<FastifyReply>,
  ) =>
    app.post<WithId & { Body: Body }>(
      `/billing/invoices/:id/${name}`,
      {
        config: { matches: invoiceOf },
        schema: {
          operationId: `${name}Invoice`,
          tags: ['Billing'],
          summary,
          description,
          params: InvoiceParams,
          ...schema,
          querystring: NoQuery,
          response: answers({ 200: ['Invoice', 'The invoice as it now reads'] }, [400, 403, 404]),
        },
      },
      (request, reply) => work(request as Call<Body>, reply),
    )

  action(
    'finalize',
    'Finalize a draft',
    'Gives it its number and due date and makes it open, less what the customer has in credits; paid at once where nothing is due.',
    { body: NoBody },
    async (request, reply) =>
      sendInvoice(reply, await finalizeInvoice(contextOf(deps, request), request.params.id)),
  )
  action<PaymentBody>(
    'pay',
    'Note a payment',
    'Of an open invoice: all that remains, or an amount of at most that. Sent again with the same `Idempotency-Key`, it is noted once, also after the 24 hours for which its answer is kept.',
    { body: PaymentBody },
    async (request, reply) => {
      const { body } = request
      const payment = { ...transferOf(body, body?.received_on), amount: body?.amount?.toString() }
      const ctx = contextOf(deps, request)
      const idempotencyKey = keyOf(request)
      return sendAnswered(reply, await payInvoice(ctx, request.params.id, payment, { idempotencyKey }))
    },
  )
  action<VoidBody>(
    'void',
    'Void an open invoice',
    'It keeps its number. Credits that it used come back. What was paid on it becomes a credit that the customer’s next invoices use, or is noted as a refund.',
    { body: VoidBody },
    async (request, reply) => {
      const { body } = request
      const refund = body?.paid_as === 'refund' ? transferOf(body, body.refunded_on) : undefined
      return sendInvoice(reply, await voidInvoice(contextOf(deps, request), request.params.id, { refund }))
    },
  )

  app.get<WithId & { Querystring: PagesQuery }>(
    '/billing/invoices/:id/payments',
    {
      schema: {
        operationId: 'listInvoicePayments',
        tags: ['Billing'],
        summary: 'List the payments of an invoice',
        description: 'In the order in which they were noted.',
        params: InvoiceParams,
        querystring: PagesQuery,
        response: answers({ 200: ['PaymentList', 'A page of payments'] }, [400, 403, 404]),
      },
    },
    async (request, reply) => {
      const { db } = deps
      const { actor } = request.caller!
      const page = pageWanted(request.query)
      const invoice = await findInvoice(db, actor.installerId, confinedTo(actor), request.params.id)
      if (!invoice) throw notFound('invoice')
      const paid = { installerId: actor.installerId, invoiceId: invoice.id }
      const payments = await listPayments(db, { ...paid, before: page.before, limit: page.perPage })
      const records = payments.map((payment) => JSON.stringify(paymentRecord(payment))).join(',')
      return sendJson(reply, listBody(page, records, await countPayments(db, paid)))
    },
  )
}
