import { withinTransaction } from '../../platform/within-transaction.ts'
import { requireCompany } from '../companies/require-company.ts'
import { type Context, confinedTo } from '../context.ts'
import { notFound } from '../domain-error.ts'
import { findMember } from '../members/queries.ts'
import { requireAdmin } from './require-admin.ts'
import { writeInvitation } from './write-invitation.ts'

/** Writes once more to a member of the actor's company, or of a dealer of theirs, how to come in. */
export async function inviteAgain(ctx: Context, baseUrl: string, memberId: string): Promise<void> {
  const { db, directories, now, actor } = ctx
  requireAdmin(actor, 'invite people')
  await db.transaction(async (tx) => {
    const within = withinTransaction(tx)
    const { members } = await directories.current(within, actor.installerId)
    const { companyId } = members.get(memberId) ?? {}
    const confined = confinedTo(actor)
    if (!companyId || (confined !== null && confined !== companyId)) throw notFound('active member')
    const company = await requireCompany(within, companyId)
    const member = await findMember(within, company.installerId, company.id, memberId)
    if (!member?.active) throw notFound('active member')
    await writeInvitation(within, now, { member, company, from: actor.name, baseUrl })
  })
}
