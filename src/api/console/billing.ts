import type { FastifyReply } from 'fastify'
import { deleteDraft } from '../../domain/billing/invoices/delete-draft.ts'
import { finalizeInvoice } from '../../domain/billing/invoices/finalize-invoice.ts'
import type { BilledCustomer } from '../../domain/billing/invoices/invoice.ts'
import { pageOfInvoices } from '../../domain/billing/invoices/page-of-invoices.ts'
import { readInvoiceWithPayments } from '../../domain/billing/invoices/read-invoice.ts'
import { readInvoicePdf } from '../../domain/billing/invoices/read-invoice-pdf.ts'
import { type BillingSummary, sumBilling } from '../../domain/billing/invoices/sum-billing.ts'
import { updateDraft } from '../../domain/billing/invoices/update-draft.ts'
import { voidInvoice } from '../../domain/billing/invoices/void-invoice.ts'
import { payInvoice } from '../../domain/billing/payments/pay-invoice.ts'
import type { Context } from '../../domain/kernel/context.ts'
import { sortingOf } from '../../domain/kernel/sorting.ts'
import type { Deps } from '../deps.ts'
import { hangUp } from '../http/hang-up.ts'
import type { Routes } from '../http/routes.ts'
import { byId } from '../http/routes.ts'
import { IdParams } from '../http/schema-words.ts'
import { sendJson } from '../http/send-json.ts'
import {
  type CustomerBody,
  DraftBody,
  InvoicesQuery,
  PaymentBody,
  PdfQuery,
  SeenBody,
  VoidBody,
} from './billing-requests.ts'
import { type InvoiceRead, type InvoicesResponse, invoiceRead, invoiceResponse } from './billing-responses.ts'
import { contextOf } from './sessions.ts'

const pageSize = 40

/** Invoices, for those who run the company. */
export function invoiceRoutes(app: Routes, deps: Deps): void {
  app.get('/billing/summary', async (request, reply) => {
    const summary: BillingSummary = await sumBilling(contextOf(deps, request))
    return sendJson(reply, JSON.stringify(summary))
  })

  app.get('/billing/invoices', { schema: { querystring: InvoicesQuery } }, async (request, reply) => {
    const { status, month, installation, search, sort = 'made', after = null } = request.query
    const { limit = pageSize } = request.query
    const { invoices, next } = await pageOfInvoices(contextOf(deps, request), {
      ...{ status, search, after, limit, sorting: sortingOf(sort) },
      month: month && `${month}-01`,
      installationId: installation,
    })
    const response: InvoicesResponse = { invoices: invoices.map(invoiceResponse), next }
    return sendJson(reply, JSON.stringify(response))
  })

  app.get('/billing/invoices/:id', byId, async (request, reply) =>
    sendInvoice(reply, contextOf(deps, request), request.params.id),
  )

  app.patch(
    '/billing/invoices/:id',
    { schema: { params: IdParams, body: DraftBody } },
    async (request, reply) => {
      const { version, customer, dueDate, lineItems } = request.body
      const ctx = contextOf(deps, request)
      const patch = {
        ...(customer ? { customer: customerOf(customer) } : {}),
        ...(dueDate === undefined ? {} : { dueDate }),
        ...(lineItems ? { lineItems } : {}),
      }
      await updateDraft(ctx, request.params.id, patch, version)
      return sendInvoice(reply, ctx, request.params.id)
    },
  )

  app.post(
    '/billing/invoices/:id/delete',
    { schema: { params: IdParams, body: SeenBody } },
    async (request, reply) => {
      await deleteDraft(contextOf(deps, request), request.params.id, request.body.version)
      return sendJson(reply, '{}')
    },
  )

  app.post(
    '/billing/invoices/:id/finalize',
    { schema: { params: IdParams, body: SeenBody } },
    async (request, reply) => {
      const ctx = contextOf(deps, request)
      await finalizeInvoice(ctx, request.params.id, request.body.version)
      return sendInvoice(reply, ctx, request.params.id)
    },
  )

  app.post(
    '/billing/invoices/:id/pay',
    { schema: { params: IdParams, body: PaymentBody } },
    async (request, reply) => {
      const ctx = contextOf(deps, request)
      const { version, ...payment } = request.body
      await payInvoice(ctx, request.params.id, payment, { seen: version })
      return sendInvoice(reply, ctx, request.params.id)
    },
  )

  app.post(
    '/billing/invoices/:id/void',
    { schema: { params: IdParams, body: VoidBody } },
    async (request, reply) => {
      const ctx = contextOf(deps, request)
      const { version: seen, refund } = request.body
      await voidInvoice(ctx, request.params.id, { seen, refund })
      return sendInvoice(reply, ctx, request.params.id)
    },
  )

  app.get(
    '/billing/invoices/:id/pdf',
    { schema: { params: IdParams, querystring: PdfQuery } },
    async (request, reply) => {
      const { pdf, fileName } = await readInvoicePdf(
        contextOf(deps, request),
        request.params.id,
        hangUp(reply),
      )
      const shown = request.query.download ? 'attachment' : 'inline'
      return reply
        .header('content-type', 'application/pdf')
        .header('content-disposition', `${shown}; filename="${fileName}"`)
        .header('content-security-policy', pdfPolicy)
        .header('cross-origin-resource-policy', 'same-origin')
        .send(pdf)
    },
  )
}

/** Nothing is run or fetched. A sandbox would keep the browser's own viewer of PDFs from starting. */
const pdfPolicy = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'"

/** As it now reads. */
async function sendInvoice(reply: FastifyReply, ctx: Context, id: string): Promise<FastifyReply> {
  const response: InvoiceRead = invoiceRead(await readInvoiceWithPayments(ctx, id))
  return sendJson(reply, JSON.stringify(response))
}

export function customerOf({ name, email, address }: CustomerBody): BilledCustomer {
  return { name, email: email || null, address: address || null }
}
