import type { FastifyInstance } from 'fastify'
import { moveStage } from '../../domain/deals/projects/move-stage.ts'
import { readProject } from '../../domain/deals/projects/queries.ts'
import { updateProject } from '../../domain/deals/projects/update-project.ts'
import { withBaseUrl } from '../../domain/deals/renderings/rendering.ts'
import type { Answer } from '../../domain/journal/idempotency/call.ts'
import { confinedTo } from '../../domain/kernel/context.ts'
import { DomainError, notFound } from '../../domain/kernel/domain-error.ts'
import { InstallerOnly } from '../../domain/kernel/policy.ts'
import type { Deps } from '../deps.ts'
import { answers } from '../http/answers.ts'
import { etagOfRendering, matchingContext, sendRecord } from '../http/etag.ts'
import { sendJson } from '../http/send-json.ts'
import { projectUpdate } from './project-change.ts'
import { NoQuery, ProjectIdParams, ProjectPatchBody, StageBody } from './request-schemas.ts'

const tags = ['Projects']

/** What the specification answers where nothing is to be done any more. */
function movedBefore(first: Answer): Answer {
  return first.status === 200
    ? { status: 200, body: JSON.stringify({ ...JSON.parse(first.body), changed: false }) }
    : first
}

export function projectRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  app.get<{ Params: { id: string } }>(
    '/projects/:id',
    {
      config: { etag: 'read' },
      schema: {
        operationId: 'readProject',
        tags,
        summary: 'Read a project',
        params: ProjectIdParams,
        querystring: NoQuery,
        response: answers({ 200: ['Project', 'The project'] }, [400, 403, 404]),
      },
    },
    async (request, reply) => {
      const { actor } = request.caller!
      const rendering = await readProject(db, actor.installerId, confinedTo(actor), request.params.id)
      if (rendering === null) throw notFound('project')
      return sendRecord(
        request,
        reply,
        withBaseUrl(rendering, deps.addresses.baseUrl),
        etagOfRendering(rendering),
      )
    },
  )

  app.patch<{ Params: { id: string }; Body: ProjectPatchBody }>(
    '/projects/:id',
    {
      config: { etag: 'change' },
      schema: {
        operationId: 'changeProject',
        tags,
        summary: 'Change a project',
        description:
          'Its days, notice to proceed, people and checklist: all of a call or nothing of it. Only the installer’s key. A value it already holds changes nothing.',
        params: ProjectIdParams,
        body: ProjectPatchBody,
        querystring: NoQuery,
        response: answers({ 200: ['Changed', 'Whether anything changed'] }, [400, 403, 404]),
      },
    },
    async (request, reply) => {
      const changed = await updateProject(
        matchingContext(deps, request),
        request.params.id,
        projectUpdate(request.body),
      )
      return sendJson(reply, JSON.stringify(changed))
    },
  )

  app.post<{ Params: { id: string }; Body: StageBody }>(
    '/projects/:id/stage',
    {
      config: { etag: 'change', repeats: { repeated: movedBefore } },
      schema: {
        operationId: 'moveStage',
        tags,
        summary: 'Move a project to another stage',
        description:
          'Only the installer’s key. The stage’s checklist, alerts and messages follow. A name that the ladder does not have answers 400 with those it has.',
        params: ProjectIdParams,
        body: StageBody,
        querystring: NoQuery,
        response: answers({ 200: ['StageMoved', 'Where the project stands now'] }, [400, 403, 404]),
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const { changed, stage } = await moveStage(
        matchingContext(deps, request),
        id,
        request.body.stage,
      ).catch((error) => {
        // A dealer's move is answered as a stage that is not there: so the spec has it.
        throw error instanceof InstallerOnly ? new DomainError('invalid', error.message) : error
      })
      return sendJson(reply, JSON.stringify({ changed, stage }))
    },
  )
}
