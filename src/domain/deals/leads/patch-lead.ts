import { type Address, type Contact, contactOrNull } from '../../kernel/contact.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import type { Directory } from '../../kernel/tenant/directory.ts'
import type { NewActivity } from '../activities/activity.ts'
import type { Effects } from '../changes/change.ts'
import type { Deal } from '../changes/deal.ts'
import { fieldWords } from './field-words.ts'
import { type Lead, type LeadStatus, statusWords } from './lead.ts'

/** Absent fields are kept; empty text or null clears what may be empty. */
export interface LeadPatch {
  firstName?: string | null
  lastName?: string | null
  email?: string | null
  phone?: string | null
  notes?: string | null
  /** Some of its parts. */
  address?: Partial<Address>
  /** All of it. */
  fullAddress?: FullAddress
  /** Null takes them off. */
  coBorrower?: Partial<Record<keyof Contact, string | null>> | null
  utility?: Partial<Lead['utility']>
  source?: Partial<Lead['source']>
  status?: LeadStatus
  archived?: boolean
  /** Null takes them off. */
  salesRepId?: string | null
  setterId?: string | null
}

/** An absent unit is kept in the same street, and gone with another; an absent country is the usual one. */
export type FullAddress = Omit<Address, 'line2' | 'country'> & Partial<Pick<Address, 'line2' | 'country'>>

const usualCountry = 'US'

const nobody: Contact = { firstName: null, lastName: null, email: null, phone: null }

/** A lead is sold with its contract, and by nothing less. */
export class SoldByContract extends DomainError {
  constructor() {
    super('invalid', 'status: mark the lead as sold with its contract, which makes its project.')
  }
}

/** The lead as patched with what follows from it; null where it says nothing new. */
export function patchLead(
  before: Deal,
  patch: LeadPatch,
  directory: Directory,
): { lead: Lead; changes: Record<string, [unknown, unknown]>; effects: Effects } | null {
  refuseEmptied(before.lead, patch)
  const lead = patched(before.lead, patch)
  if (lead.status !== before.lead.status) checkStatus(before.lead, lead.status)
  const changes = differences(before.lead, lead)
  if (Object.keys(changes).length === 0) return null
  const effects: Effects = {
    activities: activitiesOf(before.lead, lead, Object.keys(changes), directory),
    events: [{ type: 'lead.updated', subjectId: lead.id, changes }],
  }
  if (before.project) effects.events.push({ type: 'project.updated', subjectId: before.project.id, changes })
  return { lead, changes, effects }
}

const neverEmptied = ['line1', 'city', 'state', 'postalCode'] as const

/** What a lead has and must keep. Where it has none, saying so changes nothing. */
function refuseEmptied({ customer, address }: Lead, { fullAddress, ...patch }: LeadPatch): void {
  const emptied = [
    ...(['firstName', 'lastName'] as const).filter((name) => patch[name] === null && customer[name] !== null),
    ...neverEmptied
      .filter((name) => fullAddress && !fullAddress[name] && address[name] !== null)
      .map((name) => `address.${name}`),
  ]
  if (emptied.length === 0) return
  throw new DomainError('invalid', `${emptied.map((name) => `${name} must not be empty`).join('; ')}.`)
}

function checkStatus({ status: before }: Lead, status: LeadStatus): void {
  if (before === 'sold')
    throw new DomainError('invalid', 'status: a sold lead stays sold. Its project says how it goes on.')
  if (status === 'sold') throw new SoldByContract()
}

function patched(lead: Lead, patch: LeadPatch): Lead {
  const { firstName, lastName, email, phone, notes, coBorrower } = patch
  const merged = <T extends object>(whole: T, part: Partial<T> | undefined): T =>
    part ? { ...whole, ...part } : whole
  return {
    ...lead,
    customer: withTexts(lead.customer, { firstName, lastName, email, phone }),
    notes: notes === undefined ? lead.notes : notes || null,
    address: patch.fullAddress
      ? fullAddress(lead.address, patch.fullAddress)
      : merged(lead.address, patch.address),
    coBorrower:
      coBorrower === undefined
        ? lead.coBorrower
        : contactOrNull(withTexts(lead.coBorrower ?? nobody, coBorrower ?? nobody)),
    utility: merged(lead.utility, patch.utility),
    source: merged(lead.source, patch.source),
    status: patch.status ?? lead.status,
    archived: patch.archived ?? lead.archived,
    salesRepId: patch.salesRepId === undefined ? lead.salesRepId : patch.salesRepId,
    setterId: patch.setterId === undefined ? lead.setterId : patch.setterId,
  }
}

function fullAddress(before: Address, { line2, country, ...given }: FullAddress): Address {
  const unit = line2 === undefined && given.line1 === before.line1 ? before.line2 : line2 || null
  const asBefore = country === null && before.country === null
  return { ...given, line2: unit, country: asBefore ? null : (country?.toUpperCase() ?? usualCountry) }
}

/** The contact with the texts that are given; empty ones clear. The same contact where none is. */
function withTexts(contact: Contact, texts: { [K in keyof Contact]?: string | null | undefined }): Contact {
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
    ...prefixed('utility', lead.utility),
    ...prefixed('source', lead.source),
    status: lead.status,
    archived: lead.archived,
    salesRepId: lead.salesRepId,
    setterId: lead.setterId,
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

/** What has a word of its own in the feed, besides the list of details that changed. */
const saidApart = ['status', 'archived', 'salesRepId', 'setterId']

function activitiesOf(before: Lead, after: Lead, fields: string[], directory: Directory): NewActivity[] {
  const activities: NewActivity[] = []
  const updated = (body: string) => activities.push({ type: 'leadUpdated', body })
  const details = fields.filter((field) => !saidApart.includes(field) && (field !== 'notes' || !after.notes))
  if (details.length > 0) updated(`Changed ${details.map((field) => fieldWords[field] ?? field).join(', ')}`)
  if (fields.includes('status'))
    updated(`Changed status from ${statusWords[before.status]} to ${statusWords[after.status]}`)
  if (fields.includes('archived')) updated(after.archived ? 'Archived' : 'Brought back from the archive')
  activities.push(...assignments(before, after, directory))
  if (fields.includes('notes') && after.notes)
    activities.push({ type: 'note', body: after.notes, about: 'sale' })
  return activities
}

function assignments(before: Lead, after: Lead, { members }: Directory): NewActivity[] {
  const slots = [
    ['sales rep', before.salesRepId, after.salesRepId],
    ['setter', before.setterId, after.setterId],
  ] as const
  const changed = slots.filter(([, from, to]) => from !== to)
  const put = changed.flatMap(([slot, , to]) => (to ? [`${members.get(to)?.name} (${slot})`] : []))
  const taken = changed.flatMap(([slot, from, to]) => (to ? [] : [`${members.get(from!)?.name} (${slot})`]))
  return [
    ...(put.length > 0 ? [{ type: 'assigned' as const, body: `Assigned to ${put.join(' and ')}` }] : []),
    ...(taken.length > 0 ? [{ type: 'assigned' as const, body: `Took off ${taken.join(' and ')}` }] : []),
  ]
}
