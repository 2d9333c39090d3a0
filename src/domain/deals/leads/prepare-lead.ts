import type { Context } from '../../kernel/context.ts'
import { emailKey } from '../../kernel/email.ts'
import { type Directory, memberByEmail } from '../../kernel/tenant/directory.ts'
import type { Role } from '../../kernel/tenant/member.ts'
import type { NewActivity } from '../activities/activity.ts'
import type { Effects } from '../changes/change.ts'
import type { Lead } from './lead.ts'
import { type LeadDetails, leadRecord } from './lead-record.ts'

/** Its people by email, where the caller knows them so, or by id. */
export type NewLead = LeadDetails & {
  salesRepEmail?: string | null
  setterEmail?: string | null
  salesRepId?: string | null
  setterId?: string | null
}

export interface PreparedLead {
  lead: Lead
  effects: Effects
  /** The rep's or setter's emails that are no active member's. */
  unassigned: string[]
}

/** A new lead of the actor's company with what follows from it. A rep or setter who makes one is on it. */
export function prepareLead(ctx: Context, directory: Directory, input: NewLead): PreparedLead {
  const { actor } = ctx
  const unassigned: string[] = []
  const assigned: string[] = []
  const assign = (id: string | null | undefined, email: string | null | undefined, slot: string) => {
    const member = id
      ? directory.members.get(id)
      : email
        ? memberByEmail(directory, actor.companyId, email)
        : null
    if (member) assigned.push(`${member.name} (${slot})`)
    else if (email && !unassigned.some((known) => emailKey(known) === emailKey(email))) unassigned.push(email)
    return id || (member?.id ?? null)
  }
  const own = (role: Role) => (actor.role === role ? actor.id : null)
  const salesRepId = assign(own('rep') ?? input.salesRepId, input.salesRepEmail, 'sales rep')
  const setterId = assign(own('setter') ?? input.setterId, input.setterEmail, 'setter')

  const lead = leadRecord(ctx, actor.companyId, { ...input, salesRepId, setterId })
  const activities: NewActivity[] = [{ type: 'leadCreated', body: 'Lead created' }]
  if (assigned.length > 0)
    activities.push({ type: 'assigned', body: `Assigned to ${assigned.join(' and ')}` })
  if (lead.notes) activities.push({ type: 'note', body: lead.notes, about: 'sale' })
  const effects = { activities, events: [{ type: 'lead.created' as const, subjectId: lead.id }] }
  return { lead, effects, unassigned }
}
