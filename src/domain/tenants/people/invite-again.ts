import { withinTransaction } from '../../../platform/within-transaction.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import { lockTenant } from '../../kernel/tenant/clock-queries.ts'
import { requireCompany } from '../../kernel/tenant/require-company.ts'
import { requirePerson } from '../../kernel/tenant/require-person.ts'
import { findMember } from '../members/queries.ts'
import { type LinkWriting, writeInvitation } from './write-invitation.ts'

/** Writes another invitation to a member of the actor's company, or of a dealer of theirs; the one before ends. */
export async function inviteAgain(ctx: Context, links: LinkWriting, memberId: string): Promise<void> {
  const { db, now, actor } = ctx
  authorize(actor, 'people.manage')
  await db.transaction(async (tx) => {
    const within = withinTransaction(tx)
    const { companyId } = await requirePerson(ctx, within, memberId)
    await lockTenant(within, actor.installerId)
    const company = await requireCompany(within, companyId)
    const member = await findMember(
      within,
      { installerId: company.installerId, companyId: company.id },
      memberId,
    )
    if (!member?.active) throw notFound('person')
    if (member.role === 'owner') authorize(actor, 'people.manageOwners')
    await writeInvitation(within, now, links, { member, company, by: actor, from: actor.name })
  })
}
