import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { readLegacyProject } from '../../domain/deals/projects/queries.ts'
import { splitLegacyRecord } from '../../domain/deals/projects/render-legacy.ts'
import { createProject } from '../../domain/deals/sale/create-project.ts'
import { notFound } from '../../domain/kernel/domain-error.ts'
import type { Deps } from '../deps.ts'
import { answers } from '../http/answers.ts'
import { contextOf } from '../http/authenticate.ts'
import { hangUp } from '../http/hang-up.ts'
import { sendJson } from '../http/send-json.ts'
import { absentIsEmpty } from './absent-is-empty.ts'
import { lineContext, lineScope, lines, readable } from './line.ts'
import { newProjectOf } from './new-project.ts'
import { IdempotencyHeaders, IdQuery, NewProjectBody } from './request-schemas.ts'

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

  app.post<{ Body: NewProjectBody; Headers: IdempotencyHeaders }>(
    '/create_project',
    {
      preValidation: absentIsEmpty,
      schema: {
        operationId: 'create_project',
        tags,
        summary: 'Create a sold solar lead and its project',
        description:
          'Both in one transaction. Sent again with the same `Idempotency-Key` and body, it answers what it answered and makes nothing. A sales rep or setter who is no active member of the company is left empty and named in `message`.',
        headers: IdempotencyHeaders,
        body: NewProjectBody,
        response: answers({ 200: ['ProjectCreated', 'Both were created'] }, [400, 403, 404]),
      },
    },
    async (request, reply) => {
      const key = request.headers['idempotency-key']
      const fields = Object.entries(request.body).sort(([a], [b]) => (a < b ? -1 : 1))
      const requestHash = createHash('sha256').update(JSON.stringify(fields)).digest('hex')
      const created = await createProject(
        contextOf(deps, request),
        deps.copying,
        newProjectOf(request.body),
        key === undefined ? null : { key, requestHash },
        hangUp(reply),
      )
      const { projectId, leadId, unmatched } = created
      const message =
        unmatched.length > 0
          ? `Project created. Left empty, as no active member of the company matches: ${unmatched.join(', ')}.`
          : 'Project created.'
      const data = { project_id: projectId, lead_id: leadId }
      return sendJson(reply, JSON.stringify({ success: true, message, data }))
    },
  )
}
