import type { Db } from '../../../platform/db.ts'
import { newId } from '../../../platform/ids.ts'
import { changeLocked, commitChange } from '../../deals/changes/commit-change.ts'
import { findLeadDeal } from '../../deals/changes/deal.ts'
import { insertNotifications } from '../../journal/notifications/queries.ts'
import { type Context, scopeOf } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { takeTimes } from '../../kernel/tenant/clock-queries.ts'
import { claimReassignment, endReassignment, listOpenWork, noteProgress } from './queries.ts'
import { reassignDeal } from './reassign-deal.ts'
import { atOnce, claimMs, type Reassignment } from './reassignment.ts'

type Base = Pick<Context, 'db' | 'directories'>

/** Takes up one reassignment that waits to be worked on; false where none does. */
export async function workOnNextReassignment(base: Base, signal: AbortSignal): Promise<boolean> {
  const now = new Date()
  const found = await claimReassignment(base.db, { now, until: new Date(now.getTime() + claimMs) })
  if (!found) return false
  try {
    let reached: string | null = ''
    while (reached !== null && !signal.aborted) reached = await reassignSome(base, found, reached)
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    await endReassignment(base.db, { ...found, state: 'failed', failure: error.message, now: new Date() })
  }
  return true
}

/** Changes some of the records, each as if by hand; answers the last of them, null where there was none left. */
function reassignSome(base: Base, order: Reassignment, after: string): Promise<string | null> {
  const ctx = contextFor(base, order)
  const { installerId, fromMemberId, toMemberId } = order
  return changeLocked(ctx, async (attempt) => {
    const { db, directory } = attempt
    const to = directory.members.get(toMemberId)
    if (!to?.active) throw new DomainError('invalid', `${to?.name ?? 'Whoever was to get it'} is not active.`)
    const leadIds = await listOpenWork(db, {
      installerId,
      memberId: fromMemberId,
      afterId: after,
      limit: atOnce,
    })
    for (const leadId of leadIds) {
      const before = await findLeadDeal(db, scopeOf(ctx), leadId)
      const changed = before && reassignDeal(before, fromMemberId, toMemberId, directory)
      if (changed) await commitChange(ctx, attempt, before, changed.after, changed.effects)
    }
    await noteProgress(db, { ...order, more: leadIds.length, until: new Date(Date.now() + claimMs) })
    if (leadIds.length > 0) return leadIds.at(-1)!
    await endReassignment(db, { ...order, state: 'done', failure: null, now: ctx.now })
    const from = directory.members.get(fromMemberId)!
    if (order.total > 0) await tell(db, ctx, toMemberId, `${from.name}'s open work is now yours`)
    return null
  })
}

/** IdempotencyKey for all of it: nobody wants to be told a thousand times. */
async function tell(tx: Db, { actor, now }: Context, memberId: string, text: string): Promise<void> {
  if (memberId === actor.id) return
  const at = await takeTimes(tx, actor.installerId, now, 1)
  await insertNotifications(tx, actor.installerId, at, [{ id: newId('ntf'), memberId, text, leadId: null }])
}

function contextFor(base: Base, order: Reassignment): Context {
  const { installerId, actorCompanyId } = order
  return {
    ...base,
    now: new Date(),
    actor: {
      kind: 'member',
      id: order.actorId,
      name: order.actorName,
      installerId,
      companyId: actorCompanyId,
      companyKind: actorCompanyId === installerId ? 'installer' : 'dealer',
      canWrite: true,
    },
  }
}
