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
export async function createLead(ctx: Context, input: NewLead): Promise<LeadCreated> {
  const { actor } = ctx
  authorize(actor, 'leads.change')
  return runChange(ctx, async (attempt) => {
    const { db, directory } = attempt
    const { lead, effects, unassigned } = prepareLead(ctx, directory, input)
    if (input.externalId) {
      const known = await findLeadIdByExternalId(db, actor.installerId, actor.companyId, input.externalId)
      if (known) return { leadId: known, created: false, unassigned }
    }
    checkPeople(actor, directory, null, lead)
    const notifications = assignmentNotices(leadAssignments(actor, directory, null, lead), lead.customer)
    const made = { lead, project: null, files: [] }
    await commitChange(ctx, attempt, null, made, { ...effects, notifications })
    return { leadId: lead.id, created: true, unassigned }
  })
}
