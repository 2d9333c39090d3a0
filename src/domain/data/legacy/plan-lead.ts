import { isReference } from '../../../platform/ids.ts'
import type { Deal } from '../../deals/changes/deal.ts'
import { type Lead, leadLimits } from '../../deals/leads/lead.ts'
import { type LeadPatch, patchLead } from '../../deals/leads/patch-lead.ts'
import { type PreparedLead, prepareLead } from '../../deals/leads/prepare-lead.ts'
import type { ProductLine } from '../../kernel/tenant/stage.ts'
import { customerKey, customerOf, type LegacyCustomer, linkKey } from './customer-of-reading.ts'
import { markOf, marksOf, merge } from './marks.ts'
import { type Known, keptHere, type MetRecord, type Planning, type RecordPlan } from './planning.ts'
import { createReader } from './reader.ts'
import type { Marks } from './source.ts'

/** Decides what a lead of the old server does here: makes one, changes the one it made, or nothing. */
export function planLead(planning: Planning, met: MetRecord, known: Known): RecordPlan {
  const { ctx, directory } = planning
  const reader = createReader(met.reading)
  const said = customerOf(reader, directory, known.deal?.lead.companyId ?? ctx.actor.companyId)
  const { problems } = reader
  const shared = { linkKey: linkKey(reader), customerKey: customerKey(said), problems }
  if (!known.deal) {
    if (isNobody(said)) return refusedFor(met, 'it says nothing about a customer')
    const { lead, effects } = newLead(planning, said, met.list.productLine)
    const named = withLegacyId(lead, met.legacyId, known.referenceFree)
    const after = { lead: named, project: null, files: [] }
    const marks = { ...marksOf(said), status: markOf(lead.status) }
    return { ...shared, outcome: 'made', change: { before: null, after, effects }, marks }
  }
  const { deal } = known
  const before = known.taken ? known.record!.marks : null
  if (deal.lead.erasedAt)
    return { ...shared, outcome: 'unchanged', change: null, marks: {}, linkKey: null, customerKey: null }
  const merged = mergeCustomer(planning, deal, said, before)
  problems.push(...keptHere(merged.kept))
  const lead = known.taken ? merged.lead : withLegacyId(merged.lead, met.legacyId, known.referenceFree)
  const changed = lead !== deal.lead
  const after = { ...deal, lead }
  const effects = merged.effects ?? {
    activities: [],
    events: [{ type: 'lead.updated' as const, subjectId: lead.id }],
  }
  return {
    ...shared,
    outcome: changed ? 'updated' : 'unchanged',
    change: changed ? { before: deal, after, effects } : null,
    marks: merged.marks,
  }
}

export function refusedFor({ list }: MetRecord, message: string): RecordPlan {
  const problems = [{ field: '', message: `the ${list.kind} did not come: ${message}` }]
  return { outcome: 'refused', change: null, marks: {}, linkKey: null, customerKey: null, problems }
}

export function isNobody({ firstName, lastName, email, phone, address }: Partial<LegacyCustomer>): boolean {
  return !firstName && !lastName && !email && !phone && !address?.line1
}

/** A lead of what a reading says. The old server does not say when it was made. */
export function newLead(
  { ctx, directory }: Planning,
  said: Partial<LegacyCustomer>,
  productLine: ProductLine,
): PreparedLead {
  const prepared = prepareLead(ctx, directory, {
    firstName: '',
    lastName: '',
    address: said.address ?? nowhere,
    email: said.email ?? null,
    phone: said.phone ?? null,
    notes: said.notes ?? null,
    coBorrower: said.coBorrower ?? null,
    salesRepId: said.salesRepId ?? null,
    setterId: said.setterId ?? null,
    productLine,
    ...(said.status ? { status: said.status } : {}),
    ...(said.utility ? { utility: said.utility } : {}),
  })
  const { lead } = prepared
  const names = { firstName: said.firstName ?? null, lastName: said.lastName ?? null }
  return { ...prepared, lead: { ...lead, customer: { ...lead.customer, ...names } } }
}

const nowhere = { line1: null, line2: null, city: null, state: null, postalCode: null, country: null }

/** Old ids of ten letters and digits are references, by which every interface finds the record; others are kept beside. */
function withLegacyId(lead: Lead, legacyId: string, referenceFree: boolean): Lead {
  if (!referenceFree) return lead
  if (isReference(legacyId)) return lead.reference === null ? { ...lead, reference: legacyId } : lead
  const fits = lead.externalId === null && legacyId.length <= leadLimits.externalId
  return fits ? { ...lead, externalId: legacyId } : lead
}

interface MergedCustomer {
  lead: Lead
  /** Null where nothing changed. */
  effects: ReturnType<typeof prepareLead>['effects'] | null
  kept: string[]
  marks: Marks
}

/** The lead with what the old server has changed since the last time, where nobody here has. */
export function mergeCustomer(
  { directory }: Planning,
  deal: Deal,
  { status, ...said }: Partial<LegacyCustomer>,
  before: Marks | null,
): MergedCustomer {
  const { lead } = deal
  const theirs: Partial<LegacyCustomer> = { ...said }
  // A name is never taken away, and what is sold stays sold.
  if (!theirs.firstName) delete theirs.firstName
  if (!theirs.lastName) delete theirs.lastName
  if (status && lead.status !== 'sold') theirs.status = status
  const ours = {
    ...lead.customer,
    coBorrower: lead.coBorrower,
    address: lead.address,
    notes: lead.notes,
    salesRepId: lead.salesRepId,
    setterId: lead.setterId,
    status: lead.status,
    utility: lead.utility,
  }
  const { taken, kept, marks } = merge<LegacyCustomer>(theirs, ours, before)
  const changed = patchLead(deal, taken as LeadPatch, directory)
  return { lead: changed?.lead ?? lead, effects: changed?.effects ?? null, kept, marks }
}
