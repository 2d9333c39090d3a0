import type { Db } from '../../../platform/db.ts'
import { withinTransaction } from '../../../platform/within-transaction.ts'
import { recordSetting } from '../../journal/audit/record-setting.ts'
import { writeMail } from '../../journal/mails/write-mail.ts'
import type { Context } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import { requireCompany } from '../../kernel/tenant/require-company.ts'
import { requirePerson } from '../../kernel/tenant/require-person.ts'
import { accountMail } from './account-mails.ts'
import { forgetDevices } from './devices.ts'
import { accountOf, asksForCodes, deleteCodes, deleteSessions, lockAccount } from './queries.ts'
import { addressOf, forgiveLostFactor, worksElsewhere } from './second-factor-queries.ts'
import { countPasskeys, deletePasskeys } from './sign-in-queries.ts'

/**
 * Lets a colleague who has lost their second factor set up another one when they next sign in, with the password that
 * only they know. A factor guards every company that they work for: none of them removes it for the others. Where it
 * was lost already by a link that came by mail, the company says for itself that it is them.
 */
export async function resetSecondFactor(ctx: Context, baseUrl: string, id: string): Promise<void> {
  const { db, now, actor } = ctx
  authorize(actor, 'people.manage')
  if (id === actor.id)
    throw new DomainError(
      'invalid',
      'Your own second factor is changed under Account. Who has lost it asks another owner or admin.',
    )
  await db.transaction(async (tx) => {
    const within = withinTransaction(tx)
    const { companyId, name, role, active } = await requirePerson(ctx, within, id)
    if (role === 'owner') authorize(actor, 'people.manageOwners')
    const userId = active ? await accountOf(within, { installerId: actor.installerId, id }) : null
    if (!userId) throw new DomainError('invalid', `${name} does not sign in here. Invite them first.`)
    await lockAccount(within, { userId })
    if (!(await forgiveLostFactor(within, { installerId: actor.installerId, id }))) {
      await requireOwnFactor(within, userId, { installerId: actor.installerId, id, name })
      await deleteCodes(within, { userId, now })
      await deletePasskeys(within, { userId })
      await deleteSessions(within, { userId, keptId: null })
      await forgetDevices(within, userId, null)
    }
    const { name: company } = await requireCompany(within, companyId)
    const to = await addressOf(within, { userId })
    const news = {
      name,
      change: 'secondFactorReset' as const,
      at: now,
      from: null,
      by: actor.name,
      company,
      baseUrl,
    }
    const { installerId } = actor
    await writeMail(within, now, { installerId, companyId, to, ...accountMail(news) })
    await recordSetting(within, actor, now, {
      type: 'member.second_factor_reset',
      companyId,
      subjectId: id,
      name,
    })
  })
}

/** There is one, and it guards this company only. */
async function requireOwnFactor(
  db: Db,
  userId: string,
  { installerId, id, name }: { installerId: string; id: string; name: string },
): Promise<void> {
  if (!(await asksForCodes(db, userId)) && (await countPasskeys(db, { userId })) === 0)
    throw new DomainError('invalid', `${name} has no second factor. They set one up under Account.`)
  if (await worksElsewhere(db, userId, installerId, id))
    throw new DomainError(
      'invalid',
      `The second factor of ${name} guards more than your company. Ask whoever runs the server to reset it: sunstead member password.`,
    )
}
