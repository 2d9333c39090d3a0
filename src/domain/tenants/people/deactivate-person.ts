import { withinTransaction } from '../../../platform/within-transaction.ts'
import type { Context } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import { requirePerson } from '../../kernel/tenant/require-person.ts'
import { changeMember } from '../members/change-member.ts'
import { orderReassignment } from '../reassignments/order-reassignment.ts'
import { accountOf, deleteSessions, listMemberships } from './queries.ts'

/**
 * Ends a colleague's access at once, and gives their open work to another where one is named. What they did stays
 * theirs. Who works for another company too goes on working there.
 */
export async function deactivatePerson(ctx: Context, id: string, workTo: string | null): Promise<void> {
  const { db, now, actor } = ctx
  authorize(actor, 'people.manage')
  if (id === actor.id)
    throw new DomainError('invalid', 'You cannot deactivate yourself. Ask another owner or admin.')
  await db.transaction(async (tx) => {
    const within = withinTransaction(tx)
    const { companyId } = await requirePerson(ctx, within, id)
    // First, while the directory that is remembered is the one that others see.
    if (workTo !== null) await orderReassignment({ ...ctx, db: within }, id, workTo)
    await changeMember(within, now, companyId, id, { active: false }, actor)
    const userId = await accountOf(within, { installerId: actor.installerId, id })
    if (userId && (await listMemberships(within, { userId })).length === 0)
      await deleteSessions(within, { userId, keptId: null })
  })
}
