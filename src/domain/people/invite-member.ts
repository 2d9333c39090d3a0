import { withinTransaction } from '../../platform/within-transaction.ts'
import { requireCompany } from '../companies/require-company.ts'
import type { Context } from '../context.ts'
import { DomainError } from '../domain-error.ts'
import { addMember } from '../members/add-member.ts'
import type { Member, Role } from '../members/member.ts'
import { requireAdmin } from './require-admin.ts'
import { writeInvitation } from './write-invitation.ts'

export interface NewColleague {
  email: string
  name: string
  role: Role
}

/** Adds a person to the actor's company and writes to them how to come in. */
export async function inviteMember(
  { db, now, actor }: Context,
  baseUrl: string,
  { email, name, role }: NewColleague,
): Promise<Member> {
  requireAdmin(actor, 'invite people')
  if (role === 'owner' && actor.role !== 'owner')
    throw new DomainError('forbidden', 'Only an owner may invite another owner. Choose another role.')
  return db.transaction(async (tx) => {
    const within = withinTransaction(tx)
    const company = await requireCompany(within, actor.companyId)
    const member = await addMember(within, now, { company: company.id, email, name, role })
    await writeInvitation(within, now, { member, company, from: actor.name, baseUrl })
    return member
  })
}
