import type { FastifyInstance } from 'fastify'
import { readProject } from '../../domain/deals/projects/queries.ts'
import { withBaseUrl } from '../../domain/deals/renderings/rendering.ts'
import { markAsSold } from '../../domain/deals/sale/mark-as-sold.ts'
import { SoldAlready } from '../../domain/deals/sale/sell-lead.ts'
import { confinedTo } from '../../domain/kernel/context.ts'
import type { Deps } from '../deps.ts'
import { answers } from '../http/answers.ts'
import { matchingContext } from '../http/etag.ts'
import { saleOf } from '../http/sale/sale-of.ts'
import { SaleBody } from '../http/sale/sale-schemas.ts'
import { sendJson } from '../http/send-json.ts'
import { IdParams, NoQuery } from './request-schemas.ts'

export function leadSaleRoute(app: FastifyInstance, deps: Deps): void {
  app.post<{ Params: { id: string }; Body: SaleBody }>(
    '/leads/:id/sale',
    {
      config: { etag: 'change' },
      schema: {
        operationId: 'sellLead',
        tags: ['Leads'],
        summary: 'Mark a lead as sold',
        description: [
          'The lead becomes a project on the first stage of its ladder; what follows from that stage (checklist, alerts, messages to the customer) follows at once.',
          'A solar lead is sold with a `system`, a home-improvement lead with `products`: both from the installer’s catalogue, at its prices. What the customer pays is the contract’s `price`.',
          'A lead that is sold already answers 200 with the project that it became, and nothing is changed.',
        ].join('\n\n'),
        params: IdParams,
        body: SaleBody,
        querystring: NoQuery,
        response: answers(
          {
            201: ['Project', 'The project that the lead became'],
            200: ['Project', 'The lead was sold before, as this project'],
          },
          [400, 403, 404],
        ),
      },
    },
    async (request, reply) => {
      const ctx = matchingContext(deps, request)
      const { terms, contract } = saleOf(request.body)
      const { projectId, before } = await markAsSold(ctx, request.params.id, terms, contract)
        .then(({ projectId }) => ({ projectId, before: false }))
        .catch((error) => {
          if (error instanceof SoldAlready) return { projectId: error.projectId, before: true }
          throw error
        })
      const { installerId } = ctx.actor
      const rendering = await readProject(ctx.db, installerId, confinedTo(ctx.actor), projectId)
      return sendJson(reply.code(before ? 200 : 201), withBaseUrl(rendering!, deps.addresses.baseUrl))
    },
  )
}
