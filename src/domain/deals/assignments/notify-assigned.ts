import type { Db } from '../../../platform/db.ts'
import { newId } from '../../../platform/ids.ts'
import { insertNotifications } from '../../journal/notifications/queries.ts'
import type { Context } from '../../kernel/context.ts'
import { takeTimes } from '../../kernel/tenant/clock-queries.ts'
import type { Lead } from '../leads/lead.ts'
import { type Assignment, assignmentNotices } from './assignment.ts'

/** Tells people of the leads that they were put on together: each once, in the transaction that does it. */
export async function notifyAssigned(
  { actor, now }: Context,
  tx: Db,
  assigned: readonly { lead: Lead; people: Assignment[] }[],
): Promise<void> {
  const all = assigned.flatMap(({ lead, people }) => people.map((one) => ({ ...one, lead })))
  if (all.length === 0) return
  const notifications = [...Map.groupBy(all, ({ memberId }) => memberId)].map(([memberId, own]) => {
    const leads = new Set(own.map(({ lead }) => lead))
    const [only] = leads
    const text =
      leads.size === 1
        ? assignmentNotices(own, only!.customer)[0]!.text
        : `You are now the ${[...new Set(own.map(({ as }) => as))].join(' and the ')} of ${leads.size} leads`
    return { id: newId('ntf'), memberId, text, leadId: leads.size === 1 ? only!.id : null }
  })
  const at = await takeTimes(tx, actor.installerId, now, 1)
  await insertNotifications(tx, actor.installerId, at, notifications)
}
