import { requireExpected, requireUnchanged, type Seen } from '../../kernel/changed-meanwhile.ts'
import { type Context, scopeOf } from '../../kernel/context.ts'
import { notFound } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import { assignmentNotices, leadAssignments } from '../assignments/assignment.ts'
import { leadPeople, type NamedLeadPeople } from '../assignments/named-people.ts'
import { commitChange, runChange } from '../changes/commit-change.ts'
import { type Deal, findLeadDeal } from '../changes/deal.ts'
import { type LeadPatch, patchLead } from './patch-lead.ts'
import { renderLead } from './render.ts'
import { checkPeople } from './who-may.ts'

/** A lead's fields; its people by their ids or as a caller names them. */
export interface LeadUpdate extends LeadPatch {
  people?: NamedLeadPeople
}

export interface ChangedLead {
  /** The lead with what it became. */
  deal: Deal
  /** As it now reads. */
  rendering: string
}

/** Changes what is known about a lead: only the fields that the patch names, while they are what was seen. */
export async function updateLead(
  ctx: Context,
  key: string,
  { people = {}, ...patch }: LeadUpdate,
  seen?: Seen,
): Promise<ChangedLead> {
  return runChange(ctx, async (attempt) => {
    const { db, directory } = attempt
    const before = await findLeadDeal(db, scopeOf(ctx), key)
    if (!before) throw notFound('lead')
    authorize(ctx.actor, 'leads.change')
    if (patch.archived !== undefined) authorize(ctx.actor, 'leads.changeMany')
    requireExpected(ctx, before.lead)
    const named = leadPeople(ctx.actor, directory, before.lead, people)
    const changed = patchLead(before, { ...patch, ...named }, directory)
    if (changed) {
      requireUnchanged(changed.changes, seen)
      checkPeople(ctx.actor, directory, before.lead, changed.lead)
      const assigned = leadAssignments(ctx.actor, directory, before.lead, changed.lead)
      changed.effects.notifications = assignmentNotices(assigned, changed.lead.customer)
    }
    const updatedAt = changed
      ? await commitChange(ctx, attempt, before, { ...before, lead: changed.lead }, changed.effects)
      : before.lead.updatedAt
    const lead = { ...(changed?.lead ?? before.lead), updatedAt }
    const rendering = renderLead(lead, before.project?.reference ?? null, directory, updatedAt.toISOString())
    return { deal: { ...before, lead }, rendering }
  })
}
