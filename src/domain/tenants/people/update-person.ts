import { withinTransaction } from '../../../platform/within-transaction.ts'
import type { Seen } from '../../kernel/changed-meanwhile.ts'
import type { Context } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import type { Member } from '../../kernel/tenant/member.ts'
import { requirePerson } from '../../kernel/tenant/require-person.ts'
import { updateMember } from '../members/update-member.ts'
import { orderReassignment } from '../reassignments/order-reassignment.ts'
import { accountOf, deleteSessions, listMemberships } from './queries.ts'

type PersonPatch = Partial<Pick<Member, 'name' | 'phone' | 'role'>>

/** Changes what a colleague is called, how they are reached, and what they may do. */
export async function updatePerson(
  ctx: Context,
  id: string,
  patch: PersonPatch,
  seen?: Seen,
): Promise<Member> {
  const { db, now, actor } = ctx
  authorize(actor, 'people.manage')
  const { companyId } = await requirePerson(ctx, db, id)
  const name = patch.name?.trim()
  if (name === '') throw new DomainError('invalid', 'name: a person needs a name.')
  const changed = {
    ...patch,
    ...(name === undefined ? {} : { name }),
    ...(patch.phone === undefined ? {} : { phone: patch.phone?.trim() || null }),
  }
  return updateMember(db, now, companyId, id, changed, actor, seen)
}

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
    await updateMember(within, now, companyId, id, { active: false }, actor)
    const userId = await accountOf(within, { installerId: actor.installerId, id })
    if (userId && (await listMemberships(within, { userId })).length === 0)
      await deleteSessions(within, { userId, keptId: null })
  })
}

/** Lets a colleague sign in and be assigned again. */
export async function reactivatePerson(ctx: Context, id: string): Promise<void> {
  const { db, now, actor } = ctx
  authorize(actor, 'people.manage')
  const { companyId } = await requirePerson(ctx, db, id)
  await updateMember(db, now, companyId, id, { active: true }, actor)
}
