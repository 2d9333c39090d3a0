import type { FastifyInstance } from 'fastify'
import { readChecklist } from '../../domain/deals/projects/read-checklist.ts'
import type { Deps } from '../deps.ts'
import { answers } from '../http/answers.ts'
import { contextOf } from '../http/authenticate.ts'
import { sendJson } from '../http/send-json.ts'
import { NoQuery, ProjectIdParams } from './request-schemas.ts'

export function projectChecklistRoute(app: FastifyInstance, deps: Deps): void {
  app.get<{ Params: { id: string } }>(
    '/projects/:id/checklist',
    {
      schema: {
        operationId: 'readChecklist',
        tags: ['Projects'],
        summary: 'Read a project’s checklist',
        description:
          'The items of every stage that the project has entered, in the order of the ladder; those of stages that are no longer in use come last. They are ticked by `PATCH /v1/projects/{id}`.',
        params: ProjectIdParams,
        querystring: NoQuery,
        response: answers({ 200: ['Checklist', 'All items'] }, [400, 403, 404]),
      },
    },
    async (request, reply) => {
      const data = await readChecklist(contextOf(deps, request), request.params.id)
      return sendJson(reply, JSON.stringify({ data }))
    },
  )
}
