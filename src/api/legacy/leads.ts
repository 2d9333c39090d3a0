import type { FastifyInstance } from 'fastify'
import { findLeadDeal } from '../../domain/deals/changes/deal.ts'
import { createLead } from '../../domain/deals/leads/create-lead.ts'
import type { Lead } from '../../domain/deals/leads/lead.ts'
import { parseAddress } from '../../domain/deals/leads/one-line-address.ts'
import { phoneDigits } from '../../domain/deals/leads/phone.ts'
import { renderLegacyLead } from '../../domain/deals/leads/render-legacy.ts'
import { type CustomerUpdate, updateCustomers } from '../../domain/deals/leads/update-customers.ts'
import { legacyId, text } from '../../domain/deals/renderings/legacy-text.ts'
import type { Contact } from '../../domain/kernel/contact.ts'
import { scopeOf } from '../../domain/kernel/context.ts'
import { notFound } from '../../domain/kernel/domain-error.ts'
import { newReference } from '../../platform/ids.ts'
import type { Deps } from '../deps.ts'
import { answers } from '../http/answers.ts'
import { contextOf } from '../http/authenticate.ts'
import { keptBy } from '../http/repeatable.ts'
import { sendJson } from '../http/send-json.ts'
import { absentIsEmpty } from './absent-is-empty.ts'
import { lineContext, lines, readable } from './line.ts'
import { IdQuery, LeadUpdateBody, NewLeadBody } from './request-schemas.ts'

const tags = ['Leads']

export function leadRoutes(app: FastifyInstance, deps: Deps): void {
  for (const { productLine, suffix, kind } of lines) {
    app.get<{ Querystring: IdQuery }>(
      `/fetch_lead${suffix}`,
      {
        schema: {
          operationId: `fetch_lead${suffix}`,
          tags,
          summary: `Read a ${kind} lead`,
          querystring: IdQuery,
          response: answers(
            { 200: [productLine === 'solar' ? 'Lead' : 'HiLead', 'The lead'] },
            [400, 403, 404],
          ),
        },
      },
      async (request, reply) => {
        const ctx = lineContext(deps, request, productLine)
        const deal = await findLeadDeal(deps.db, scopeOf(ctx), request.query.id)
        if (!deal) throw notFound('lead')
        const directory = await deps.directories.current(deps.db, ctx.actor.installerId)
        return sendJson(reply, readable(deps, request, renderLegacyLead(deal, directory)))
      },
    )
  }

  app.post<{ Body: NewLeadBody }>(
    '/create-lead',
    {
      preValidation: absentIsEmpty,
      config: { repeats: { kept: 'inStatement' } },
      schema: {
        operationId: 'create_lead',
        tags,
        summary: 'Create a solar lead',
        description: 'In the key’s company. The address is one text.',
        body: NewLeadBody,
        response: answers({ 200: ['LeadCreated', 'The lead was created'] }, [400, 403]),
      },
    },
    async (request, reply) => {
      const { firstName, lastName, email, phoneNumber, address, salesRepEmail } = request.body
      const reference = newReference()
      const answer = JSON.stringify({ status: 200, leaduid: reference })
      const lead = {
        firstName,
        lastName,
        email,
        phone: phoneNumber,
        address: parseAddress(address),
        salesRepEmail,
        reference,
      }
      const kept = keptBy(request, () => ({ status: 200, body: answer }))
      await createLead(contextOf(deps, request), lead, kept)
      return sendJson(reply, answer)
    },
  )

  app.post<{ Body: LeadUpdateBody }>(
    '/update_lead',
    {
      preValidation: absentIsEmpty,
      schema: {
        operationId: 'update_lead',
        tags,
        summary: 'Change a lead’s two customers',
        description:
          'Absent fields are kept, empty text and null clear. `home_improvement` says of which product line the lead is.',
        body: LeadUpdateBody,
        response: answers({ 200: ['LeadRecord', 'The record as it now reads'] }, [400, 403, 404]),
      },
    },
    async (request, reply) => {
      const { body } = request
      const ctx = lineContext(deps, request, body.home_improvement ? 'hi' : 'solar')
      const lead = await updateCustomers(ctx, body.id, updateOf(body, 'primary'), updateOf(body, 'secondary'))
      return sendJson(reply, JSON.stringify(leadRecord(lead)))
    },
  )
}

function updateOf(body: LeadUpdateBody, which: 'primary' | 'secondary'): CustomerUpdate {
  const fields = {
    firstName: body[`${which}_first_name`],
    lastName: body[`${which}_last_name`],
    email: body[`${which}_email`],
    phone: body[`${which}_phone`],
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

function leadRecord(lead: Lead) {
  const person = (which: 'primary' | 'secondary', contact: Contact | null) => ({
    [`${which}_first_name`]: text(contact?.firstName),
    [`${which}_last_name`]: text(contact?.lastName),
    [`${which}_email`]: text(contact?.email),
    [`${which}_phone`]: phoneDigits(contact?.phone ?? null),
  })
  return {
    id: legacyId(lead),
    home_improvement: lead.productLine === 'hi',
    ...person('primary', lead.customer),
    ...person('secondary', lead.coBorrower),
  }
}
