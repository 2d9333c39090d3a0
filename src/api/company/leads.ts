import type { FastifyInstance } from 'fastify'
import { listActivities } from '../../domain/deals/activities/queries.ts'
import { createLead, type LeadCreated } from '../../domain/deals/leads/create-lead.ts'
import { readLead } from '../../domain/deals/leads/queries.ts'
import { withBaseUrl } from '../../domain/deals/renderings/rendering.ts'
import type { Answer } from '../../domain/journal/idempotency/call.ts'
import { confinedTo } from '../../domain/kernel/context.ts'
import { notFound } from '../../domain/kernel/domain-error.ts'
import type { Deps } from '../deps.ts'
import { answers } from '../http/answers.ts'
import { contextOf } from '../http/authenticate.ts'
import { etagOfRendering, matchingContext, sendRecord, withEtag } from '../http/etag.ts'
import { keptBy } from '../http/repeatable.ts'
import { sendJson } from '../http/send-json.ts'
import { changeLead } from './lead-change.ts'
import { newLeadOf } from './new-lead.ts'
import { ActivityQuery, IdParams, LeadPatchBody, NewLeadBody, NoQuery } from './request-schemas.ts'

const tags = ['Leads']

export function leadRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, cursors } = deps

  app.post<{ Body: NewLeadBody }>(
    '/leads',
    {
      config: {
        repeats: {
          kept: 'inStatement',
          repeated: (first, { body }) => repeatedLead(first, body as NewLeadBody),
        },
      },
      schema: {
        operationId: 'createLead',
        tags,
        summary: 'Create a lead',
        description: 'In the key’s company. A known `externalId` answers 200 with the lead that exists.',
        body: NewLeadBody,
        querystring: NoQuery,
        response: answers(
          { 201: ['LeadCreated', 'The lead was created'], 200: ['LeadCreated', 'The lead existed already'] },
          [400, 403],
        ),
      },
    },
    async (request, reply) => {
      const made = await createLead(
        contextOf(deps, request),
        newLeadOf(request.body),
        keptBy(request, leadAnswer),
      )
      const answer = leadAnswer(made)
      return sendJson(reply.code(answer.status), answer.body)
    },
  )

  app.get<{ Params: { id: string } }>(
    '/leads/:id',
    {
      config: { etag: 'read' },
      schema: {
        operationId: 'readLead',
        tags,
        summary: 'Read a lead',
        params: IdParams,
        querystring: NoQuery,
        response: answers({ 200: ['Lead', 'The lead'] }, [400, 403, 404]),
      },
    },
    async (request, reply) => {
      const { actor } = request.caller!
      const lead = await readLead(db, actor.installerId, confinedTo(actor), request.params.id)
      if (!lead) throw notFound('lead')
      const { rendering } = lead
      return sendRecord(
        request,
        reply,
        withBaseUrl(rendering, deps.addresses.baseUrl),
        etagOfRendering(rendering),
      )
    },
  )

  app.patch<{ Params: { id: string }; Body: LeadPatchBody }>(
    '/leads/:id',
    {
      config: { etag: 'change' },
      schema: {
        operationId: 'changeLead',
        tags,
        summary: 'Change a lead',
        description: 'Absent fields are kept. What changes nothing does not move `updatedAt`.',
        params: IdParams,
        body: LeadPatchBody,
        querystring: NoQuery,
        response: withEtag(answers({ 200: ['Lead', 'The lead as it now reads'] }, [400, 403, 404])),
      },
    },
    async (request, reply) => {
      const { rendering } = await changeLead(matchingContext(deps, request), request.params.id, request.body)
      reply.header('etag', etagOfRendering(rendering))
      return sendJson(reply, withBaseUrl(rendering, deps.addresses.baseUrl))
    },
  )

  app.get<{ Params: { id: string }; Querystring: ActivityQuery }>(
    '/leads/:id/activities',
    {
      schema: {
        operationId: 'listActivities',
        tags,
        summary: 'Read a lead’s activity',
        description: 'Newest first, with the activity of its project.',
        params: IdParams,
        querystring: ActivityQuery,
        response: answers({ 200: ['ActivityPage', 'A page of the feed'] }, [400, 403, 404]),
      },
    },
    async (request, reply) => {
      const { actor } = request.caller!
      const { limit = 50, cursor } = request.query
      const lead = await readLead(db, actor.installerId, confinedTo(actor), request.params.id)
      if (!lead) throw notFound('lead')
      const binding = ['activities', actor.companyId, lead.id, limit]
      const before = cursor === undefined ? null : cursors.read(cursor, binding)
      const { activities, next } = await listActivities(
        db,
        { installerId: actor.installerId, leadId: lead.id, internalOf: actor.companyId },
        before,
        limit,
      )
      return sendJson(reply, JSON.stringify({ data: activities, next: next && cursors.write(next, binding) }))
    },
  )
}

function leadAnswer(made: LeadCreated): Answer {
  return { status: made.created ? 201 : 200, body: JSON.stringify(made) }
}

/** A known `externalId` has an answer of its own. */
function repeatedLead(first: Answer, { externalId }: NewLeadBody): Answer {
  if (!externalId || first.status !== 201) return first
  return leadAnswer({ ...(JSON.parse(first.body) as LeadCreated), created: false })
}
