import type { NewActivity } from '../activities/activity.ts'
import { change, commitChange } from '../changes/commit-change.ts'
import { memberByEmail } from '../companies/directory.ts'
import { type Context, requireWriter } from '../context.ts'
import { type LeadDetails, newLead } from './new-lead.ts'
import { findLeadIdByExternalId } from './queries.ts'

export type NewLead = LeadDetails & { salesRepEmail?: string | null; setterEmail?: string | null }

export interface LeadCreated {
  leadId: string
  created: boolean
  /** The rep's or setter's emails that are no active member's. */
  unassigned: string[]
}

/** Makes a lead in the actor's company, or finds the one its `externalId` made before. */
export async function createLead(ctx: Context, input: NewLead): Promise<LeadCreated> {
  const { actor } = ctx
  requireWriter(actor)
  return change(ctx, async (attempt) => {
    const { db, directory } = attempt
    const unassigned: string[] = []
    const assigned: string[] = []
    const assign = (email: string | null | undefined, slot: string) => {
      if (!email) return null
      const member = memberByEmail(directory, actor.companyId, email)
      if (member) assigned.push(`${member.name} (${slot})`)
      else unassigned.push(email)
      return member?.id ?? null
    }
    const salesRepId = assign(input.salesRepEmail, 'sales rep')
    const setterId = assign(input.setterEmail, 'setter')

    if (input.externalId) {
      const known = await findLeadIdByExternalId(db, actor.installerId, actor.companyId, input.externalId)
      if (known) return { leadId: known, created: false, unassigned }
    }
    const lead = newLead(ctx, actor.companyId, { ...input, salesRepId, setterId })
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
