import { recordSetting } from '../../journal/audit/record-setting.ts'
import type { Context } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import { queueAgain } from './outbox-queries.ts'
import { requireMail } from './read-mail.ts'

/** Tries a mail again that was given up. */
export async function sendAgain(ctx: Context, id: string): Promise<void> {
  const { db, actor, now } = ctx
  authorize(actor, 'mails.resend')
  const { companyId, subject, to, linkKind, linkSealed } = await requireMail(ctx, id)
  if (linkKind !== null && linkSealed === null)
    throw new DomainError('invalid', 'The link in this mail is of no use any more. Write another one.')
  await db.transaction(async (tx) => {
    if (!(await queueAgain(tx, { installerId: actor.installerId, id, now })))
      throw new DomainError(
        'invalid',
        'Only a mail that has failed, and whose text is still kept, can be sent again.',
      )
    await recordSetting(tx, actor, now, {
      type: 'mail.sent_again',
      companyId,
      subjectId: id,
      name: `${subject} (${to})`,
      changes: { state: ['failed', 'queued'] },
    })
  })
}
