import type { FastifyInstance, FastifyReply } from 'fastify'
import { createInvoice, type NewInvoice } from '../../domain/billing/invoices/create-invoice.ts'
import { deleteDraft } from '../../domain/billing/invoices/delete-draft.ts'
import { type Invoice, invoiceRecord } from '../../domain/billing/invoices/invoice.ts'
import { invoiceList, readInvoice } from '../../domain/billing/invoices/queries.ts'
import { type DraftPatch, updateDraft } from '../../domain/billing/invoices/update-draft.ts'
import { confinedTo, scopeOf } from '../../domain/kernel/context.ts'
import { notFound } from '../../domain/kernel/domain-error.ts'
import type { Deps } from '../deps.ts'
import { answers } from '../http/answers.ts'
import { contextOf } from '../http/authenticate.ts'
import { sendJson } from '../http/send-json.ts'
import { invoiceActionRoutes } from './billing-actions.ts'
import { creditRoutes } from './billing-credits.ts'
import { customerOf, lineItemsOf, renamed } from './billing-mapping.ts'
import { invoicePdfRoute } from './billing-pdf.ts'
import { planRoutes } from './billing-plans.ts'
import {
  DraftPatchBody,
  InvoiceParams,
  InvoicesQuery,
  NewInvoiceBody,
  NothingAsked,
} from './billing-requests.ts'
import { listBody, pageWanted } from './paging.ts'

const tags = ['Billing']
const oneInvoice = (summary: string) => answers({ 200: ['Invoice', summary] }, [400, 403, 404])
interface WithId {
  Params: { id: string }
}

export function billingRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  app.get<{ Querystring: InvoicesQuery }>(
    '/billing/invoices',
    {
      schema: {
        operationId: 'listInvoices',
        tags,
        summary: 'List invoices',
        description: 'Newest first. An installer sees its dealers’ invoices too.',
        querystring: InvoicesQuery,
        response: answers({ 200: ['InvoiceList', 'A page of invoices'] }, [400, 403]),
      },
    },
    async (request, reply) => {
      const page = pageWanted(request.query)
      const { status } = request.query
      const scope = scopeOf(contextOf(deps, request))
      const { records, total } = await deps.numberedPage(db, invoiceList, scope, { status }, page)
      return sendJson(reply, listBody(page, records, total))
    },
  )

  app.post<{ Body: NewInvoiceBody }>(
    '/billing/invoices',
    {
      schema: {
        operationId: 'createInvoice',
        tags,
        summary: 'Draft an invoice',
        description: 'For an installation or any customer. Amounts are computed; a draft has no number yet.',
        body: NewInvoiceBody,
        querystring: NothingAsked,
        response: answers({ 201: ['Invoice', 'The draft'] }, [400, 403]),
      },
    },
    async (request, reply) => {
      const { customer, line_items, installation_id, ...body } = request.body
      const input: NewInvoice = {
        ...renamed(body),
        ...(installation_id === undefined ? {} : { installationId: installation_id }),
        ...(customer ? { customer: customerOf(customer) } : {}),
        lineItems: lineItemsOf(line_items),
      }
      return send(reply.code(201), await createInvoice(contextOf(deps, request), input))
    },
  )

  invoicePdfRoute(app, deps)

  app.get<WithId>(
    '/billing/invoices/:id',
    {
      schema: {
        operationId: 'readInvoice',
        tags,
        summary: 'Read an invoice',
        params: InvoiceParams,
        querystring: NothingAsked,
        response: oneInvoice('The invoice'),
      },
    },
    async (request, reply) => {
      const { actor } = request.caller!
      const invoice = await readInvoice(db, actor.installerId, confinedTo(actor), request.params.id)
      if (!invoice) throw notFound('invoice')
      return sendJson(reply, invoice)
    },
  )

  app.patch<WithId & { Body: DraftPatchBody }>(
    '/billing/invoices/:id',
    {
      schema: {
        operationId: 'changeInvoice',
        tags,
        summary: 'Change a draft',
        description: 'Absent fields are kept. The monthly run leaves a draft alone that was changed.',
        params: InvoiceParams,
        body: DraftPatchBody,
        querystring: NothingAsked,
        response: oneInvoice('The draft as it now reads'),
      },
    },
    async (request, reply) => {
      const { customer, line_items, ...body } = request.body
      const patch: DraftPatch = {
        ...renamed(body),
        ...(customer ? { customer: customerOf(customer) } : {}),
        ...(line_items ? { lineItems: lineItemsOf(line_items) } : {}),
      }
      return send(reply, await updateDraft(contextOf(deps, request), request.params.id, patch))
    },
  )

  app.delete<WithId>(
    '/billing/invoices/:id',
    {
      schema: {
        operationId: 'deleteInvoice',
        tags,
        summary: 'Delete a draft',
        params: InvoiceParams,
        querystring: NothingAsked,
        response: answers({ 204: [null, 'The draft is gone'] }, [400, 403, 404]),
      },
    },
    async (request, reply) => {
      await deleteDraft(contextOf(deps, request), request.params.id)
      return reply.code(204).send()
    },
  )

  invoiceActionRoutes(app, deps)
  creditRoutes(app, deps)
  planRoutes(app, deps)
}

function send(reply: FastifyReply, invoice: Invoice): FastifyReply {
  return sendJson(reply, JSON.stringify(invoiceRecord(invoice)))
}
