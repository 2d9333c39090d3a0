import { recordSetting } from '../../journal/audit/record-setting.ts'
import type { Context } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import { lockTenant } from '../../kernel/tenant/clock-queries.ts'
import { requirePerson } from '../../kernel/tenant/require-person.ts'
import { endInvitations } from './end-invitations.ts'

/** Takes back what was written to a member of the actor's company, or of a dealer of theirs. The member stays. */
export async function withdrawInvitation(ctx: Context, memberId: string): Promise<void> {
  const { db, now, actor } = ctx
  authorize(actor, 'people.manage')
  const { companyId, name, role, email } = await requirePerson(ctx, db, memberId)
  if (role === 'owner') authorize(actor, 'people.manageOwners')
  await db.transaction(async (tx) => {
    await lockTenant(tx, actor.installerId)
    if (!(await endInvitations(tx, now, { installerId: actor.installerId, memberId }, 'withdrawn')))
      throw new DomainError('invalid', `${name} has no open invitation.`)
    await recordSetting(tx, actor, now, {
      ...{ type: 'invitation.withdrawn', companyId, subjectId: memberId, name },
      changes: { email: [email, null] },
    })
  })
}
