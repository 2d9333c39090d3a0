import { Big } from 'big.js'
import { findLeadDeal } from '../../domain/deals/changes/deal.ts'
import { createLead } from '../../domain/deals/leads/create-lead.ts'
import { findDuplicates } from '../../domain/deals/leads/duplicate-queries.ts'
import { listLeadRows, listSources } from '../../domain/deals/leads/list-queries.ts'
import type { LeadPatch } from '../../domain/deals/leads/patch-lead.ts'
import type { NewLead } from '../../domain/deals/leads/prepare-lead.ts'
import { updateLead } from '../../domain/deals/leads/update-lead.ts'
import { type LeadsChanged, type LeadsPatch, updateLeads } from '../../domain/deals/leads/update-leads.ts'
import { contactOrNull } from '../../domain/kernel/contact.ts'
import { scopeOf } from '../../domain/kernel/context.ts'
import { DomainError, notFound } from '../../domain/kernel/domain-error.ts'
import { sortingOf } from '../../domain/kernel/sorting.ts'
import type { Deps } from '../deps.ts'
import type { Routes } from '../http/routes.ts'
import { IdParams } from '../http/schema-words.ts'
import { sendJson } from '../http/send-json.ts'
import { BulkBody, LeadListQuery, LeadPatchBody, NewLeadBody } from './lead-requests.ts'
import { leadResponse } from './lead-responses.ts'
import { contextOf } from './sessions.ts'

export type { LeadsChanged }

const defaultLimit = 50

export function leadRoutes(app: Routes, deps: Deps): void {
  const { db, directories } = deps

  app.get('/leads', { schema: { querystring: LeadListQuery } }, async (request, reply) => {
    const scope = scopeOf(contextOf(deps, request))
    const { sort = 'changed', after, limit = defaultLimit, ...filters } = request.query
    const position = after ? positionOf(after) : null
    const sorting = sortingOf(sort)
    const { rows, more, total } = await db.reading(scope.installerId, 'clocked', (from) =>
      listLeadRows(from, scope, filters, sorting, position, limit),
    )
    const last = rows.at(-1)
    const at = sorting.by === 'changed' ? last?.updatedAt : last?.createdAt
    const next = more ? `${at!.getTime()}-${last!.id}` : null
    return sendJson(reply, JSON.stringify({ leads: rows, next, total }))
  })

  app.get('/leads/sources', async (request, reply) => {
    const sources = await listSources(db, scopeOf(contextOf(deps, request)))
    return sendJson(reply, JSON.stringify({ sources }))
  })

  app.post('/leads', { schema: { body: NewLeadBody } }, async (request, reply) => {
    const ctx = contextOf(deps, request)
    const { companies } = await deps.directories.get(db, ctx.actor.installerId)
    const { country } = companies.get(ctx.actor.companyId)!
    const made = await createLead(ctx, newLeadOf(request.body, country))
    return sendJson(reply.code(made.created ? 201 : 200), JSON.stringify(made))
  })

  app.post('/leads/bulk', { schema: { body: BulkBody } }, async (request, reply) => {
    const outcome = await updateLeads(contextOf(deps, request), request.body.ids, bulkPatch(request.body))
    return sendJson(reply, JSON.stringify(outcome))
  })

  app.get('/leads/:id', { schema: { params: IdParams } }, async (request, reply) => {
    const ctx = contextOf(deps, request)
    const deal = await findLeadDeal(db, scopeOf(ctx), request.params.id)
    if (!deal) throw notFound('lead')
    const directory = await directories.current(db, ctx.actor.installerId)
    return sendJson(reply, JSON.stringify(leadResponse(deal, directory, ctx.actor, deps.addresses.baseUrl)))
  })

  app.patch('/leads/:id', { schema: { params: IdParams, body: LeadPatchBody } }, async (request, reply) => {
    const ctx = contextOf(deps, request)
    const { seen, ...patch } = request.body
    const { deal } = await updateLead(ctx, request.params.id, patchOf(patch), seen)
    const directory = await directories.current(db, ctx.actor.installerId)
    return sendJson(reply, JSON.stringify(leadResponse(deal, directory, ctx.actor, deps.addresses.baseUrl)))
  })

  app.get('/leads/:id/duplicates', { schema: { params: IdParams } }, async (request, reply) => {
    const scope = scopeOf(contextOf(deps, request))
    const deal = await findLeadDeal(db, scope, request.params.id)
    if (!deal) throw notFound('lead')
    const duplicates = await findDuplicates(db, scope, deal.lead)
    return sendJson(reply, JSON.stringify({ duplicates }))
  })
}

function positionOf(after: string) {
  const [ms = '', id = ''] = after.split('-')
  return { at: new Date(Number(ms)), id }
}

const amountOrNull = (text: string | undefined) => (text ? new Big(text).toFixed(2) : null)

function newLeadOf(
  { address, coBorrower, utility, source, ...body }: NewLeadBody,
  usualCountry: string,
): NewLead {
  return {
    ...body,
    address: {
      line1: address.line1,
      line2: address.line2 || null,
      city: address.city,
      state: address.state,
      postalCode: address.postalCode,
      country: address.country?.toUpperCase() ?? usualCountry,
    },
    coBorrower: contactOrNull({
      firstName: coBorrower?.firstName || null,
      lastName: coBorrower?.lastName || null,
      email: coBorrower?.email || null,
      phone: coBorrower?.phone || null,
    }),
    utility: { name: utility?.name || null, monthlyBill: amountOrNull(utility?.monthlyBill) },
    source: { name: source?.name || null, subSource: source?.subSource || null },
  }
}

function patchOf({ address, utility, source, ...body }: Omit<LeadPatchBody, 'seen'>): LeadPatch {
  const patch: LeadPatch = { ...body }
  if (address) {
    patch.address = emptyIsNull(address)
    if (address.country) patch.address.country = address.country.toUpperCase()
  }
  if (source) patch.source = emptyIsNull(source)
  if (utility) {
    patch.utility = emptyIsNull(utility)
    if (utility.monthlyBill !== undefined) patch.utility.monthlyBill = amountOrNull(utility.monthlyBill)
  }
  return patch
}

function emptyIsNull<T extends Record<string, string>>(texts: T): { [K in keyof T]: string | null } {
  const entries = Object.entries(texts).map(([name, text]) => [name, text || null])
  return Object.fromEntries(entries) as { [K in keyof T]: string | null }
}

function bulkPatch({ assign, archive }: BulkBody): LeadsPatch {
  if ((assign === undefined) === (archive === undefined))
    throw new DomainError('invalid', 'Choose either who gets the leads, or whether they are archived.')
  if (archive !== undefined) return { archived: archive }
  const patch: LeadsPatch = {}
  if (assign?.rep !== undefined) patch.salesRepId = assign.rep
  if (assign?.setter !== undefined) patch.setterId = assign.setter
  return patch
}
