import type { Seen } from '../../kernel/changed-meanwhile.ts'
import type { Context } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import type { Member } from '../../kernel/tenant/member.ts'
import { requirePerson } from '../../kernel/tenant/require-person.ts'
import { changeMember } from '../members/change-member.ts'

export type PersonPatch = Partial<Pick<Member, 'name' | 'phone' | 'role'>>

/** Changes what a colleague is called, how they are reached, and what they may do. */
export async function changePerson(
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
  return changeMember(db, now, companyId, id, changed, actor, seen)
}
