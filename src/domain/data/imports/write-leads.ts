import { setImmediate as nextTurn } from 'node:timers/promises'
import { newId } from '../../../platform/ids.ts'
import type { Effects } from '../../deals/changes/change.ts'
import { changeMessages } from '../../deals/changes/change-messages.ts'
import type { Attempt } from '../../deals/changes/commit-change.ts'
import { leadColumns } from '../../deals/leads/columns.ts'
import type { Lead } from '../../deals/leads/lead.ts'
import { renderLead } from '../../deals/leads/render.ts'
import type { TimedMessage } from '../../journal/events/messages.ts'
import type { Context } from '../../kernel/context.ts'
import { takeTimes } from '../../kernel/tenant/clock-queries.ts'
import type { Directory } from '../../kernel/tenant/directory.ts'
import { insertLeads } from './lead-queries.ts'

export interface LeadToWrite {
  lead: Lead
  effects: Effects
}

/** So many are written by one statement: while the database is at it, the next are made ready. */
const atOnce = 50

/**
 * Writes new leads as `commitChange` would one by one, many by a statement: each has its own time of the tenant's
 * clock, its rendering, activities and event. The tenant's lock is held, and none of their keys is taken.
 */
export async function writeLeads(
  ctx: Context,
  { db, directory }: Attempt,
  importId: string,
  written: readonly LeadToWrite[],
): Promise<void> {
  if (written.length === 0) return
  const { installerId } = ctx.actor
  const first = (await takeTimes(db, installerId, ctx.now, written.length)).getTime()
  const rowsFrom = (begin: number) => {
    const some = written.slice(begin, begin + atOnce)
    return some.length > 0 ? rowsOf(ctx, directory, some, first + begin) : null
  }
  let begin = 0
  for (let rows = rowsFrom(begin); rows !== null; ) {
    begin += atOnce
    // Not before these are given to the connection.
    const next = nextTurn().then(() => rowsFrom(begin))
    ;[rows] = await Promise.all([next, insertLeads(db, { installerId, importId }, rows)])
  }
}

function rowsOf({ actor }: Context, directory: Directory, written: readonly LeadToWrite[], first: number) {
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
    for (const [ordinal, { id, type, body, about = null }] of entries.entries())
      activities.push({ ...shared, id, ordinal, type, body, about })
    for (const [ordinal, { type, subjectId }] of effects.events.entries())
      events.push({ ...shared, ordinal, type, company_id: lead.companyId, subject_id: subjectId })
    const made = { lead, project: null, files: [] }
    const rendered = { lead: rendering, project: null }
    const told = changeMessages(actor, directory, null, made, rendered, effects, entries)
    messages.push(...told.map(({ ofProject: _, ...message }) => ({ ...message, at: time })))
  }
  return { leads, activities, events, messages, actor }
}
