import type { FastifyInstance } from 'fastify'
import { listLeadsAsked } from '../../domain/deals/leads/list-leads.ts'
import { listLeads } from '../../domain/deals/leads/queries.ts'
import { confinedTo } from '../../domain/kernel/context.ts'
import type { Deps } from '../deps.ts'
import { answers } from '../http/answers.ts'
import { contextOf } from '../http/authenticate.ts'
import { sendPage } from '../http/send-json.ts'
import { LeadListQuery } from './list-requests.ts'
import { pageBody, pageRequest } from './paging.ts'

export function leadListRoute(app: FastifyInstance, deps: Deps): void {
  app.get<{ Querystring: LeadListQuery }>(
    '/leads',
    {
      schema: {
        operationId: 'listLeads',
        tags: ['Leads'],
        summary: 'List leads',
        description:
          'Newest change first, or oldest with `order=asc`. An installer sees its dealers’ leads too. Filters narrow each other; with several, a page may have fewer rows than `limit` though there are more: `next` says so.',
        querystring: LeadListQuery,
        response: answers({ 200: ['LeadPage', 'A page of leads'] }, [400, 403, 404]),
      },
    },
    async (request, reply) => {
      const { actor } = request.caller!
      const { page, productLine, filtered, binding } = pageRequest(deps, request, 'leads')
      const { query } = request
      const found = filtered
        ? await listLeadsAsked(contextOf(deps, request), query, page, query.expand !== undefined)
        : await listLeads(deps.db, actor.installerId, confinedTo(actor), productLine, page)
      return sendPage(reply, pageBody(deps, found, binding))
    },
  )
}
