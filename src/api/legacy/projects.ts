import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readLegacyProject } from '../../domain/deals/projects/queries.ts'
import { splitLegacyRecord } from '../../domain/deals/projects/render-legacy.ts'
import { createProject, type ProjectCreated } from '../../domain/deals/sale/create-project.ts'
import type { Answer } from '../../domain/journal/idempotency/call.ts'
import { notFound } from '../../domain/kernel/domain-error.ts'
import type { Deps } from '../deps.ts'
import { answers } from '../http/answers.ts'
import { contextOf } from '../http/authenticate.ts'
import { hangUp } from '../http/hang-up.ts'
import { keptBy } from '../http/repeatable.ts'
import { sendJson } from '../http/send-json.ts'
import { absentIsEmpty } from './absent-is-empty.ts'
import { lineContext, lineScope, lines, readable } from './line.ts'
import { newProjectOf } from './new-project.ts'
import { IdQuery, NewProjectBody } from './request-schemas.ts'

const tags = ['Projects']

export function projectRoutes(app: FastifyInstance, deps: Deps): void {
  for (const { productLine, suffix, kind } of lines) {
    app.get<{ Querystring: IdQuery }>(
      `/fetch_project${suffix}`,
      {
        schema: {
          operationId: `fetch_project${suffix}`,
          tags,
          summary: `Read a ${kind} project`,
          querystring: IdQuery,
          response: answers(
            { 200: [productLine === 'solar' ? 'Project' : 'HiProject', 'The project'] },
            [400, 403, 404],
          ),
        },
      },
      async (request, reply) => {
        const ctx = lineContext(deps, request, productLine)
        const record = await readLegacyProject(deps.db, lineScope(ctx, productLine), request.query.id)
        if (record === null) throw notFound('project')
        const { id, data } = splitLegacyRecord(readable(deps, request, record))
        return sendJson(reply, `{"data":${data},"id":"${id}"}`)
      },
    )
  }

  app.post<{ Body: NewProjectBody }>(
    '/create_project',
    {
      preValidation: absentIsEmpty,
      config: { repeats: { kept: 'claimed', keptBefore, requestHash: hashOfBody } },
      schema: {
        operationId: 'create_project',
        tags,
        summary: 'Create a sold solar lead and its project',
        description:
          'Both in one transaction. A sales rep or setter who is no active member of the company is left empty and named in `message`.',
        body: NewProjectBody,
        response: answers({ 200: ['ProjectCreated', 'Both were created'] }, [400, 403, 404]),
      },
    },
    async (request, reply) => {
      const created = await createProject(
        contextOf(deps, request),
        deps.copying,
        newProjectOf(request.body),
        keptBy(request, projectAnswer),
        hangUp(reply),
      )
      return sendJson(reply, projectAnswer(created).body)
    },
  )
}

/** Kept with what the version before made its answer of: both may run at once. */
function projectAnswer(created: ProjectCreated): Answer {
  const { projectId, leadId, unmatched } = created
  const message =
    unmatched.length > 0
      ? `Project created. Left empty, as no active member of the company matches: ${unmatched.join(', ')}.`
      : 'Project created.'
  const data = { project_id: projectId, lead_id: leadId }
  return { status: 200, body: JSON.stringify({ success: true, message, data }), more: created }
}

function keptBefore(kept: object): Answer | null {
  return 'projectId' in kept ? projectAnswer(kept as ProjectCreated) : null
}

/** As the version before told calls apart, so that what it began is known. */
function hashOfBody({ body }: FastifyRequest): string {
  const fields = Object.entries(body ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex')
}
