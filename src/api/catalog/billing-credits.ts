import type { FastifyInstance } from 'fastify'
import { creditList, readCredit } from '../../domain/billing/credits/queries.ts'
import { refundCredit } from '../../domain/billing/credits/refund-credit.ts'
import { confinedTo, scopeOf } from '../../domain/kernel/context.ts'
import { notFound } from '../../domain/kernel/domain-error.ts'
import type { Deps } from '../deps.ts'
import { answers } from '../http/answers.ts'
import { contextOf } from '../http/authenticate.ts'
import { IdempotencyHeaders, idempotencyKeyOf, sendAnswered } from '../http/idempotency.ts'
import { sendJson } from '../http/send-json.ts'
import { transferOf } from './billing-mapping.ts'
import { CreditParams, NothingAsked, PagesQuery, RefundBody } from './billing-requests.ts'
import { listBody, pageWanted } from './paging.ts'

const tags = ['Billing']
interface WithId {
  Params: { id: string }
}

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
      schema: {
        operationId: 'readCredit',
        tags,
        summary: 'Read a credit',
        params: CreditParams,
        querystring: NothingAsked,
        response: answers({ 200: ['Credit', 'The credit'] }, [400, 403, 404]),
      },
    },
    async (request, reply) => {
      const { actor } = request.caller!
      const credit = await readCredit(db, {
        installerId: actor.installerId,
        companyId: confinedTo(actor),
        id: request.params.id,
      })
      if (!credit) throw notFound('credit')
      return sendJson(reply, credit)
    },
  )

  app.post<WithId & { Body: RefundBody; Headers: IdempotencyHeaders }>(
    '/billing/credits/:id/refund',
    {
      schema: {
        operationId: 'refundCredit',
        tags,
        summary: 'Note a refund',
        description:
          'All that is left of the credit, or an amount of at most that. Sent again with the same `Idempotency-Key`, it is noted once and answered the same.',
        params: CreditParams,
        body: RefundBody,
        headers: IdempotencyHeaders,
        querystring: NothingAsked,
        response: answers({ 200: ['Credit', 'The credit as it now reads'] }, [400, 403, 404]),
      },
    },
    async (request, reply) => {
      const { body, params } = request
      const ctx = contextOf(deps, request)
      const refund = { ...transferOf(body, body?.refunded_on), amount: body?.amount?.toString() }
      return sendAnswered(
        reply,
        await refundCredit(ctx, params.id, refund, { idempotencyKey: idempotencyKeyOf(request) }),
      )
    },
  )
}
