import type { FastifyInstance } from 'fastify'
import { moveStage } from '../../domain/deals/projects/move-stage.ts'
import { legacyId } from '../../domain/deals/renderings/legacy-text.ts'
import type { Deps } from '../deps.ts'
import { answers } from '../http/answers.ts'
import { ignoreBodies } from '../http/json-body.ts'
import { sendJson } from '../http/send-json.ts'
import { lineContext, lines } from './line.ts'
import { StageQuery } from './request-schemas.ts'

export function stageRoutes(app: FastifyInstance, deps: Deps): void {
  app.register(async (scope) => {
    // The fields stand in the query: a body, of whatever type, says nothing.
    ignoreBodies(scope)
    scope.addHook('onRequest', (request, _reply, done) => {
      // A type that is none would be refused before the body is let go.
      delete request.raw.headers['content-type']
      done()
    })
    for (const { productLine, suffix, kind } of lines) {
      scope.post<{ Querystring: StageQuery }>(
        `/update_stage${suffix}`,
        {
          schema: {
            operationId: `update_stage${suffix}`,
            tags: ['Projects'],
            summary: `Move a ${kind} project to another stage`,
            description:
              'Only the installer’s key. The fields stand in the query. A name that the ladder does not have answers 400 with those it has.',
            querystring: StageQuery,
            response: answers({ 200: ['StageUpdated', 'Where the project stands now'] }, [400, 403, 404]),
          },
        },
        async (request, reply) => {
          const { id, project_stage_name } = request.query
          const { changed, stage, project } = await moveStage(
            lineContext(deps, request, productLine),
            id,
            project_stage_name,
            { field: 'project_stage_name' },
          )
          return sendJson(
            reply,
            JSON.stringify({
              success: true,
              message: changed ? `The project is now in ${stage}.` : `The project is in ${stage} already.`,
              data: { project_id: legacyId(project), new_status: stage },
            }),
          )
        },
      )
    }
  })
}
