import type { Context } from '../../kernel/context.ts'
import { authorize } from '../../kernel/policy.ts'
import { requirePerson } from '../../kernel/tenant/require-person.ts'
import { changeMember } from '../members/change-member.ts'

/** Lets a colleague sign in and be assigned again. */
export async function reactivatePerson(ctx: Context, id: string): Promise<void> {
  const { db, now, actor } = ctx
  authorize(actor, 'people.manage')
  const { companyId } = await requirePerson(ctx, db, id)
  await changeMember(db, now, companyId, id, { active: true }, actor)
}
