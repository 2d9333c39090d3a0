import type { FastifyInstance, FastifyRequest } from 'fastify'
import { creditList, readCredit } from '../../domain/billing/credits/queries.ts'
import { refundCredit } from '../../domain/billing/credits/refund-credit.ts'
import { type Context, confinedTo, scopeOf } from '../../domain/kernel/context.ts'
import { notFound } from '../../domain/kernel/domain-error.ts'
import type { Deps } from '../deps.ts'
import { answers } from '../http/answers.ts'
import { contextOf } from '../http/authenticate.ts'
import { sendRecord } from '../http/etag.ts'
import { keyOf, sendAnswered } from '../http/idempotency.ts'
import { NoQuery } from '../http/schema-words.ts'
import { sendJson } from '../http/send-json.ts'
import { transferOf } from './billing-mapping.ts'
import { CreditParams, PagesQuery, RefundBody } from './billing-requests.ts'
import { listBody, pageWanted } from './paging.ts'

const tags = ['Billing']
interface WithId {
  Params: { id: string }
}

const creditOf = ({ db, actor }: Context, { params }: FastifyRequest) =>
  readCredit(db, {
    installerId: actor.installerId,
    companyId: confinedTo(actor),
    id: (params as WithId['Params']).id,
  })

/** What customers paid on invoices that were voided, and what became of it. */
export function creditRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  app.get<{ Querystring: PagesQuery }>(
    '/billing/credits',
    {
      schema: {
        operationId: 'listCredits',
        tags,
        summary: 'List credits',
        description: 'Newest first. An installer sees its dealers’ credits too.',
        querystring: PagesQuery,
        response: answers({ 200: ['CreditList', 'A page of credits'] }, [400, 403]),
      },
    },
    async (request, reply) => {
      const page = pageWanted(request.query)
      const scope = scopeOf(contextOf(deps, request))
      const { records, total } = await deps.numberedPage(db, creditList, scope, {}, page)
      return sendJson(reply, listBody(page, records, total))
    },
  )

  app.get<WithId>(
    '/billing/credits/:id',
    {
      config: { etag: 'read' },
      schema: {
        operationId: 'readCredit',
        tags,
        summary: 'Read a credit',
        params: CreditParams,
        querystring: NoQuery,
        response: answers({ 200: ['Credit', 'The credit'] }, [400, 403, 404]),
      },
    },
    async (request, reply) => {
      const credit = await creditOf(contextOf(deps, request), request)
      if (!credit) throw notFound('credit')
      return sendRecord(request, reply, credit)
    },
  )

  app.post<WithId & { Body: RefundBody }>(
    '/billing/credits/:id/refund',
    {
      config: { matches: creditOf },
      schema: {
        operationId: 'refundCredit',
        tags,
        summary: 'Note a refund',
        description:
          'All that is left of the credit, or an amount of at most that. Sent again with the same `Idempotency-Key`, it is noted once, also after the 24 hours for which its answer is kept.',
        params: CreditParams,
        body: RefundBody,
        querystring: NoQuery,
        response: answers({ 200: ['Credit', 'The credit as it now reads'] }, [400, 403, 404]),
      },
    },
    async (request, reply) => {
      const { body, params } = request
      const ctx = contextOf(deps, request)
      const refund = { ...transferOf(body, body?.refunded_on), amount: body?.amount?.toString() }
      return sendAnswered(
        reply,
        await refundCredit(ctx, params.id, refund, { idempotencyKey: keyOf(request) }),
      )
    },
  )
}
