import { type KeptBy, requireFirst } from '../../journal/idempotency/call.ts'
import type { Context } from '../../kernel/context.ts'
import { authorize } from '../../kernel/policy.ts'
import { assignmentNotices, leadAssignments } from '../assignments/assignment.ts'
import { commitChange, runChange } from '../changes/commit-change.ts'
import { type NewLead, prepareLead } from './prepare-lead.ts'
import { findLeadIdByExternalId } from './queries.ts'
import { checkPeople } from './who-may.ts'

export interface LeadCreated {
  leadId: string
  created: boolean
  /** The rep's or setter's emails that are no active member's. */
  unassigned: string[]
}

/** Makes a lead in the actor's company, or finds the one its `externalId` made before. */
export async function createLead(
  ctx: Context,
  input: NewLead,
  kept: KeptBy<LeadCreated> | null = null,
): Promise<LeadCreated> {
  const { actor } = ctx
  authorize(actor, 'leads.change')
  return runChange(ctx, async (attempt) => {
    const { db, directory } = attempt
    // Only once the statement has failed: nearly all are the first with their key.
    if (kept && db !== ctx.db) await requireFirst(db, kept.call, ctx.now)
    const { lead, effects, unassigned } = prepareLead(ctx, directory, input)
    if (input.externalId) {
      const known = await findLeadIdByExternalId(db, actor.installerId, actor.companyId, input.externalId)
      if (known) return { leadId: known, created: false, unassigned }
    }
    checkPeople(actor, directory, null, lead)
    const notifications = assignmentNotices(leadAssignments(actor, directory, null, lead), lead.customer)
    const made = { lead, project: null, files: [] }
    const created: LeadCreated = { leadId: lead.id, created: true, unassigned }
    const idempotency = kept ? { idempotency: { call: kept.call, answer: kept.answerOf(created) } } : {}
    await commitChange(ctx, attempt, null, made, { ...effects, notifications, ...idempotency })
    return created
  })
}
