import type { Context } from '../context.ts'
import type { Member } from '../members/member.ts'
import { listMembers } from '../members/queries.ts'
import { withPassword } from './queries.ts'
import { requireAdmin } from './require-admin.ts'

export type Colleague = Member & {
  /** Has chosen a password, so can sign in. */
  joined: boolean
}

/** The people of the actor's company by email, those after `afterEmail`. */
export async function listPeople(
  { db, actor }: Context,
  afterEmail: string,
  limit: number,
): Promise<Colleague[]> {
  requireAdmin(actor, 'see how people sign in')
  const members = await listMembers(db, actor.installerId, actor.companyId, afterEmail, limit)
  const joined = await withPassword(
    db,
    members.map(({ email }) => email),
  )
  return members.map((member) => ({ ...member, joined: joined.has(member.email.toLowerCase()) }))
}
