import { pageOfCredits } from '../../domain/billing/credits/page-of-credits.ts'
import { refundCredit } from '../../domain/billing/credits/refund-credit.ts'
import type { Deps } from '../deps.ts'
import type { Routes } from '../http/routes.ts'
import { IdParams } from '../http/schema-words.ts'
import { sendJson } from '../http/send-json.ts'
import { CreditsQuery, RefundBody } from './billing-requests.ts'
import { type CreditsResponse, creditResponse } from './billing-responses.ts'
import { contextOf } from './sessions.ts'

const pageSize = 40

/** What customers have in credits, for those who run the company. */
export function creditRoutes(app: Routes, deps: Deps): void {
  app.get('/billing/credits', { schema: { querystring: CreditsQuery } }, async (request, reply) => {
    const { state = 'left', search, after = null, limit = pageSize } = request.query
    const left = state === 'left'
    const { credits, next } = await pageOfCredits(contextOf(deps, request), { left, search, after, limit })
    const response: CreditsResponse = { credits: credits.map(creditResponse), next }
    return sendJson(reply, JSON.stringify(response))
  })

  app.post(
    '/billing/credits/:id/refund',
    { schema: { params: IdParams, body: RefundBody } },
    async (request, reply) => {
      const { version, ...refund } = request.body
      await refundCredit(contextOf(deps, request), request.params.id, refund, { seen: version })
      return sendJson(reply, '{}')
    },
  )
}
