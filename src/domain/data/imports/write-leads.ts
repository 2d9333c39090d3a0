import { newId } from '../../../platform/ids.ts'
import type { Effects } from '../../deals/changes/change.ts'
import { changeMessages } from '../../deals/changes/change-messages.ts'
import type { Attempt } from '../../deals/changes/commit-change.ts'
import { leadColumns } from '../../deals/leads/columns.ts'
import type { Lead } from '../../deals/leads/lead.ts'
import { renderLead } from '../../deals/leads/render.ts'
import { actorText, type TimedMessage } from '../../journal/events/messages.ts'
import type { Context } from '../../kernel/context.ts'
import { takeTimes } from '../../kernel/tenant/clock-queries.ts'
import { insertLeads } from './lead-queries.ts'

export interface LeadToWrite {
  lead: Lead
  effects: Effects
}

/**
 * Writes new leads as `commitChange` would one by one, in one statement: each has its own time of the tenant's
 * clock, its rendering, activities and event. The tenant's lock is held, and none of their keys is taken.
 */
export async function writeLeads(
  ctx: Context,
  { db, directory }: Attempt,
  importId: string,
  written: readonly LeadToWrite[],
): Promise<void> {
  if (written.length === 0) return
  const { actor } = ctx
  const { installerId } = actor
  const first = (await takeTimes(db, installerId, ctx.now, written.length)).getTime()
  const leads: Record<string, unknown>[] = []
  const activities: Record<string, unknown>[] = []
  const events: Record<string, unknown>[] = []
  const messages: TimedMessage[] = []
  for (const [i, { lead, effects }] of written.entries()) {
    const time = new Date(first + i)
    const at = time.toISOString()
    const rendering = renderLead(lead, null, directory, at)
    leads.push({
      ...Object.fromEntries(leadColumns.map(([name, , , value]) => [name, value(lead) ?? null])),
      updated_at: at,
      rendering,
    })
    const shared = { lead_id: lead.id, at }
    const entries = effects.activities.map((activity) => ({ ...activity, id: newId('act') }))
    for (const [ordinal, { id, type, body, about = null }] of entries.entries()) {
      activities.push({
        ...shared,
        id,
        company_id: actor.companyId,
        ordinal,
        type,
        body,
        internal: false,
        customer_facing: false,
        about,
        member_id: actor.kind === 'member' ? actor.id : null,
        author: actor.name,
      })
    }
    for (const [ordinal, { type, subjectId }] of effects.events.entries()) {
      events.push({
        ...shared,
        ordinal,
        type,
        company_id: lead.companyId,
        subject_id: subjectId,
        actor_kind: actor.kind,
        actor_id: actor.id,
        actor_name: actor.name,
        changes: {},
      })
    }
    const made = { lead, project: null, files: [] }
    const rendered = { lead: rendering, project: null }
    const told = changeMessages(actor, directory, null, made, rendered, effects, entries)
    messages.push(...told.map(({ ofProject: _, ...message }) => ({ ...message, at: time })))
  }
  const rows = { leads, activities, events, messages, actor: actorText(actor) }
  await insertLeads(db, { installerId, importId }, rows)
}
