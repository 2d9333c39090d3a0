import type { FastifyInstance, FastifyReply } from 'fastify'
import { createInvoice, type NewInvoice } from '../../domain/billing/invoices/create-invoice.ts'
import { deleteDraft } from '../../domain/billing/invoices/delete-draft.ts'
import { type Invoice, invoiceRecord } from '../../domain/billing/invoices/invoice.ts'
import {
  changedInvoices,
  invoiceList,
  invoicesOfInstallation,
  readInvoice,
} from '../../domain/billing/invoices/queries.ts'
import { type DraftPatch, updateDraft } from '../../domain/billing/invoices/update-draft.ts'
import { confinedTo } from '../../domain/kernel/context.ts'
import { notFound } from '../../domain/kernel/domain-error.ts'
import type { Deps } from '../deps.ts'
import { answers } from '../http/answers.ts'
import { contextOf } from '../http/authenticate.ts'
import { sendRecord } from '../http/etag.ts'
import { NoQuery } from '../http/schema-words.ts'
import { sendJson } from '../http/send-json.ts'
import { invoiceActionRoutes, invoiceOf } from './billing-actions.ts'
import { creditRoutes } from './billing-credits.ts'
import { customerOf, lineItemsOf, renamed } from './billing-mapping.ts'
import { invoicePdfRoutes } from './billing-pdf.ts'
import { planRoutes } from './billing-plans.ts'
import { DraftPatchBody, InvoiceParams, InvoicesQuery, NewInvoiceBody } from './billing-requests.ts'
import { sendList } from './record-lists.ts'

const tags = ['Billing']
const lists = { numbered: invoiceList, ofInstallation: invoicesOfInstallation, changed: changedInvoices }
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
        description:
          'Newest first; with `updated_since` what changed first first. An installer sees its dealers’ invoices too.',
        querystring: InvoicesQuery,
        response: answers({ 200: ['InvoiceList', 'A page of invoices'] }, [400, 403, 404]),
      },
    },
    (request, reply) => sendList(deps, request, reply, lists, { status: request.query.status }),
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
        querystring: NoQuery,
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

  invoicePdfRoutes(app, deps)

  app.get<WithId>(
    '/billing/invoices/:id',
    {
      config: { etag: 'read' },
      schema: {
        operationId: 'readInvoice',
        tags,
        summary: 'Read an invoice',
        params: InvoiceParams,
        querystring: NoQuery,
        response: oneInvoice('The invoice'),
      },
    },
    async (request, reply) => {
      const { actor } = request.caller!
      const invoice = await readInvoice(db, actor.installerId, confinedTo(actor), request.params.id)
      if (!invoice) throw notFound('invoice')
      return sendRecord(request, reply, invoice)
    },
  )

  app.patch<WithId & { Body: DraftPatchBody }>(
    '/billing/invoices/:id',
    {
      config: { matches: invoiceOf },
      schema: {
        operationId: 'changeInvoice',
        tags,
        summary: 'Change a draft',
        description: 'Absent fields are kept. The monthly run leaves a draft alone that was changed.',
        params: InvoiceParams,
        body: DraftPatchBody,
        querystring: NoQuery,
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
      config: { matches: invoiceOf },
      schema: {
        operationId: 'deleteInvoice',
        tags,
        summary: 'Delete a draft',
        params: InvoiceParams,
        querystring: NoQuery,
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
