import { withinTransaction } from '../../../platform/within-transaction.ts'
import type { Context } from '../../kernel/context.ts'
import { authorize } from '../../kernel/policy.ts'
import type { Member, Role } from '../../kernel/tenant/member.ts'
import { addMember } from '../members/add-member.ts'
import { requireManagedCompany } from './require-managed-company.ts'
import { type LinkWriting, writeInvitation } from './write-invitation.ts'

export interface NewColleague {
  email: string
  name: string
  role: Role
  /** The actor's own where none is named. */
  company?: string | undefined
}

/** Adds a person to the actor's company, or an installer's to one of its dealers, and writes to them how to come in. */
export async function inviteMember(
  ctx: Context,
  links: LinkWriting,
  { email, name, role, company: named }: NewColleague,
): Promise<Member> {
  const { db, now, actor } = ctx
  authorize(actor, 'people.manage')
  if (role === 'owner') authorize(actor, 'people.manageOwners')
  return db.transaction(async (tx) => {
    const within = withinTransaction(tx)
    const company = await requireManagedCompany(ctx, within, named)
    const member = await addMember(within, now, { company: company.id, email, name, role })
    await writeInvitation(within, now, links, { member, company, by: actor, from: actor.name })
    return member
  })
}
