import type { Seen } from '../changed-meanwhile.ts'
import type { Context } from '../context.ts'
import { DomainError } from '../domain-error.ts'
import { changeMember } from '../members/change-member.ts'
import type { Member } from '../members/member.ts'
import { authorize } from '../policy.ts'
import { requirePerson } from './require-person.ts'

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
