import { recordSetting } from '../audit/record-setting.ts'
import { lockTenant } from '../companies/queries.ts'
import type { Context } from '../context.ts'
import { DomainError } from '../domain-error.ts'
import { authorize } from '../policy.ts'
import { endInvitations } from './end-invitations.ts'
import { requirePerson } from './require-person.ts'

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
