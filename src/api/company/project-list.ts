import type { FastifyInstance } from 'fastify'
import { type Expansion, listProjectsAsked } from '../../domain/deals/projects/list-projects.ts'
import { listProjects } from '../../domain/deals/projects/queries.ts'
import { confinedTo } from '../../domain/kernel/context.ts'
import type { Deps } from '../deps.ts'
import { answers } from '../http/answers.ts'
import { contextOf } from '../http/authenticate.ts'
import { sendPage } from '../http/send-json.ts'
import { ProjectListQuery } from './list-requests.ts'
import { pageBody, pageRequest } from './paging.ts'

export function projectListRoute(app: FastifyInstance, deps: Deps): void {
  app.get<{ Querystring: ProjectListQuery }>(
    '/projects',
    {
      schema: {
        operationId: 'listProjects',
        tags: ['Projects'],
        summary: 'List projects',
        description:
          'Newest change first, or oldest with `order=asc`. An installer sees its dealers’ projects too. Filters narrow each other; with several, a page may have fewer rows than `limit` though there are more: `next` says so.',
        querystring: ProjectListQuery,
        response: answers({ 200: ['ProjectPage', 'A page of projects'] }, [400, 403, 404]),
      },
    },
    async (request, reply) => {
      const { actor } = request.caller!
      const { page, productLine, filtered, binding } = pageRequest(deps, request, 'projects')
      const { query } = request
      const found = filtered
        ? await listProjectsAsked(
            contextOf(deps, request),
            query,
            page,
            new Set(query.expand?.split(',') as Expansion[]),
          )
        : await listProjects(deps.db, actor.installerId, confinedTo(actor), productLine, page)
      return sendPage(reply, pageBody(deps, found, binding))
    },
  )
}
