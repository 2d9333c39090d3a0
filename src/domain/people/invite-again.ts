import { isId } from '../../platform/ids.ts'
import { withinTransaction } from '../../platform/within-transaction.ts'
import { requireCompany } from '../companies/require-company.ts'
import type { Context } from '../context.ts'
import { notFound } from '../domain-error.ts'
import { findMember } from '../members/queries.ts'
import { requireAdmin } from './require-admin.ts'
import { writeInvitation } from './write-invitation.ts'

/** Writes once more to a member of the actor's company how to come in. */
export async function inviteAgain(
  { db, now, actor }: Context,
  baseUrl: string,
  memberId: string,
): Promise<void> {
  requireAdmin(actor, 'invite people')
  await db.transaction(async (tx) => {
    const within = withinTransaction(tx)
    const company = await requireCompany(within, actor.companyId)
    const member = isId(memberId, 'memb')
      ? await findMember(within, company.installerId, company.id, memberId)
      : null
    if (!member?.active) throw notFound('active member')
    await writeInvitation(within, now, { member, company, from: actor.name, baseUrl })
  })
}
