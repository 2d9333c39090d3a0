import type { FastifyInstance } from 'fastify'
import { listActivities } from '../../domain/deals/activities/queries.ts'
import { createLead } from '../../domain/deals/leads/create-lead.ts'
import type { LeadPatch } from '../../domain/deals/leads/patch-lead.ts'
import { listLeads, readLead } from '../../domain/deals/leads/queries.ts'
import { updateLead } from '../../domain/deals/leads/update-lead.ts'
import { withBaseUrl } from '../../domain/deals/renderings/rendering.ts'
import type { Address } from '../../domain/kernel/contact.ts'
import { confinedTo } from '../../domain/kernel/context.ts'
import { notFound } from '../../domain/kernel/domain-error.ts'
import type { Deps } from '../deps.ts'
import { answers } from '../http/answers.ts'
import { contextOf } from '../http/authenticate.ts'
import { sendJson } from '../http/send-json.ts'
import { pageBody, pageRequest } from './paging.ts'
import { ActivityQuery, IdParams, LeadPatchBody, ListQuery, NewLeadBody, NoQuery } from './request-schemas.ts'

const tags = ['Leads']

export function leadRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, cursors } = deps

  app.get(
    '/leads',
    {
      schema: {
        operationId: 'listLeads',
        tags,
        summary: 'List leads',
        description: 'Newest change first. An installer sees its dealers’ leads too.',
        querystring: ListQuery,
        response: answers({ 200: ['LeadPage', 'A page of leads'] }, [400, 403]),
      },
    },
    async (request, reply) => {
      const { actor } = request.caller!
      const { page, productLine, binding } = pageRequest(deps, request, 'leads')
      const found = await listLeads(db, actor.installerId, confinedTo(actor), productLine, page)
      return sendJson(reply, pageBody(deps, found, binding))
    },
  )

  app.post<{ Body: NewLeadBody }>(
    '/leads',
    {
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
      const { body } = request
      const made = await createLead(contextOf(deps, request), { ...body, address: addressOf(body.address) })
      return sendJson(reply.code(made.created ? 201 : 200), JSON.stringify(made))
    },
  )

  app.get<{ Params: { id: string } }>(
    '/leads/:id',
    {
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
      return sendJson(reply, withBaseUrl(lead.rendering, deps.addresses.baseUrl))
    },
  )

  app.patch<{ Params: { id: string }; Body: LeadPatchBody }>(
    '/leads/:id',
    {
      schema: {
        operationId: 'changeLead',
        tags,
        summary: 'Change a lead’s customer details',
        description: 'Absent fields are kept. What changes nothing does not move `updatedAt`.',
        params: IdParams,
        body: LeadPatchBody,
        querystring: NoQuery,
        response: answers({ 200: ['Lead', 'The lead as it now reads'] }, [400, 403, 404]),
      },
    },
    async (request, reply) => {
      const { address, ...body } = request.body
      const patch: LeadPatch = { ...body }
      if (address) patch.fullAddress = address
      const { rendering } = await updateLead(contextOf(deps, request), request.params.id, patch)
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

function addressOf(body: NewLeadBody['address']): Address {
  return {
    line1: body.line1,
    line2: body.line2 || null,
    city: body.city,
    state: body.state,
    postalCode: body.postalCode,
    country: body.country?.toUpperCase() ?? 'US',
  }
}
