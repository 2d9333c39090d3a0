import type { NewActivity } from '../activities/activity.ts'
import type { NewEvent } from '../changes/change.ts'
import { change, commitChange } from '../changes/commit-change.ts'
import { findLeadDeal } from '../changes/deal.ts'
import { type Context, reachOf, requireWriter } from '../context.ts'
import { notFound } from '../domain-error.ts'
import { type Address, type Contact, contactOrNull, type Lead } from './lead.ts'
import { renderLead } from './render.ts'

/** Absent fields are kept; empty text clears what may be empty. */
export interface LeadPatch {
  firstName?: string
  lastName?: string
  email?: string
  phone?: string
  notes?: string
  address?: Address
  coBorrower?: Partial<Record<keyof Contact, string>>
}

const nobody: Contact = { firstName: null, lastName: null, email: null, phone: null }

export interface ChangedLead {
  lead: Lead
  /** As it now reads. */
  rendering: string
}

/** Changes a lead's customer details. */
export async function changeLead(ctx: Context, key: string, patch: LeadPatch): Promise<ChangedLead> {
  return change(ctx, async (attempt) => {
    const { db, directory } = attempt
    const before = await findLeadDeal(db, reachOf(ctx), key)
    if (!before) throw notFound('lead')
    requireWriter(ctx.actor)
    const lead = patched(before.lead, patch)
    const changes = differences(before.lead, lead)
    const fields = Object.keys(changes)
    const projectReference = before.project?.reference ?? null
    if (fields.length === 0) {
      const updatedAt = before.lead.updatedAt.toISOString()
      return { lead, rendering: renderLead(before.lead, projectReference, directory, updatedAt) }
    }
    const activities: NewActivity[] = []
    const details = fields.filter((field) => field !== 'notes' || !lead.notes)
    if (details.length > 0) activities.push({ type: 'leadUpdated', body: `Changed ${details.join(', ')}` })
    if ('notes' in changes && lead.notes) activities.push({ type: 'note', body: lead.notes })
    const events: NewEvent[] = [{ type: 'lead.updated', subjectId: lead.id, changes }]
    if (before.project) events.push({ type: 'project.updated', subjectId: before.project.id, changes })
    const at = await commitChange(ctx, attempt, before, { ...before, lead }, { activities, events })
    return { lead, rendering: renderLead(lead, projectReference, directory, at.toISOString()) }
  })
}

function patched(lead: Lead, patch: LeadPatch): Lead {
  const { firstName, lastName, email, phone, notes, address, coBorrower } = patch
  return {
    ...lead,
    customer: withTexts(lead.customer, { firstName, lastName, email, phone }),
    notes: notes === undefined ? lead.notes : notes || null,
    address: address ?? lead.address,
    coBorrower: coBorrower
      ? contactOrNull(withTexts(lead.coBorrower ?? nobody, coBorrower))
      : lead.coBorrower,
  }
}

/** The contact with the texts that are given; empty ones clear. The same contact where none is. */
function withTexts(contact: Contact, texts: { [K in keyof Contact]?: string | undefined }): Contact {
  const given = Object.entries(texts).filter(([, text]) => text !== undefined)
  if (given.length === 0) return contact
  return { ...contact, ...Object.fromEntries(given.map(([name, text]) => [name, text || null])) }
}

/** Every field that differs, from what to what. */
function differences(before: Lead, after: Lead): Record<string, [unknown, unknown]> {
  const flat = (lead: Lead): Record<string, unknown> => ({
    ...lead.customer,
    notes: lead.notes,
    ...prefixed('address', lead.address),
    ...prefixed('coBorrower', lead.coBorrower ?? nobody),
  })
  const [from, to] = [flat(before), flat(after)]
  return Object.fromEntries(
    Object.keys(to).flatMap((field) =>
      from[field] === to[field] ? [] : [[field, [from[field], to[field]]]],
    ),
  )
}

function prefixed(prefix: string, object: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [`${prefix}.${name}`, value]))
}
