import type { Context } from '../context.ts'
import type { Member } from '../members/member.ts'
import { listMembers } from '../members/queries.ts'
import { withPassword } from './queries.ts'
import { requireAdmin } from './require-admin.ts'
import { requireManagedCompany } from './require-managed-company.ts'

export type Colleague = Member & {
  /** Has chosen a password, so can sign in. */
  joined: boolean
}

/** The people of a company that the actor lets people into, by email, those after `afterEmail`. */
export async function listPeople(
  ctx: Context,
  { company, afterEmail, limit }: { company?: string | undefined; afterEmail: string; limit: number },
): Promise<Colleague[]> {
  const { db, actor } = ctx
  requireAdmin(actor, 'see how people sign in')
  const { id } = await requireManagedCompany(ctx, db, company)
  const members = await listMembers(db, actor.installerId, id, afterEmail, limit)
  const joined = await withPassword(
    db,
    members.map(({ email }) => email),
  )
  return members.map((member) => ({ ...member, joined: joined.has(member.email.toLowerCase()) }))
}
