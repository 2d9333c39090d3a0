import type { NewActivity } from '../activities/activity.ts'
import { change, commitChange } from '../changes/commit-change.ts'
import { memberByEmail } from '../companies/directory.ts'
import type { Context } from '../context.ts'
import type { Role } from '../members/member.ts'
import { type LeadDetails, newLead } from './new-lead.ts'
import { findLeadIdByExternalId } from './queries.ts'
import { checkPeople, requireLeadEditor } from './who-may.ts'

/** Its people by email, where the caller knows them so, or by id. */
export type NewLead = LeadDetails & {
  salesRepEmail?: string | null
  setterEmail?: string | null
  salesRepId?: string | null
  setterId?: string | null
}

export interface LeadCreated {
  leadId: string
  created: boolean
  /** The rep's or setter's emails that are no active member's. */
  unassigned: string[]
}

/**
 * Makes a lead in the actor's company, or finds the one its `externalId` made before. A rep or setter who makes one
 * is on it.
 */
export async function createLead(ctx: Context, input: NewLead): Promise<LeadCreated> {
  const { actor } = ctx
  requireLeadEditor(actor)
  return change(ctx, async (attempt) => {
    const { db, directory } = attempt
    const unassigned: string[] = []
    const assigned: string[] = []
    const assign = (id: string | null | undefined, email: string | null | undefined, slot: string) => {
      const member = id
        ? directory.members.get(id)
        : email
          ? memberByEmail(directory, actor.companyId, email)
          : null
      if (member) assigned.push(`${member.name} (${slot})`)
      else if (email) unassigned.push(email)
      return id || (member?.id ?? null)
    }
    const own = (role: Role) => (actor.role === role ? actor.id : null)
    const salesRepId = assign(own('rep') ?? input.salesRepId, input.salesRepEmail, 'sales rep')
    const setterId = assign(own('setter') ?? input.setterId, input.setterEmail, 'setter')

    if (input.externalId) {
      const known = await findLeadIdByExternalId(db, actor.installerId, actor.companyId, input.externalId)
      if (known) return { leadId: known, created: false, unassigned }
    }
    const lead = newLead(ctx, actor.companyId, { ...input, salesRepId, setterId })
    checkPeople(actor, directory, null, lead)
    const activities: NewActivity[] = [{ type: 'leadCreated', body: 'Lead created' }]
    if (assigned.length > 0)
      activities.push({ type: 'assigned', body: `Assigned to ${assigned.join(' and ')}` })
    if (lead.notes) activities.push({ type: 'note', body: lead.notes })
    await commitChange(
      ctx,
      attempt,
      null,
      { lead, project: null, files: [] },
      {
        activities,
        events: [{ type: 'lead.created', subjectId: lead.id }],
      },
    )
    return { leadId: lead.id, created: true, unassigned }
  })
}
