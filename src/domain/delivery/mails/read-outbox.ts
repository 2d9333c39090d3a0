import { type Context, confinedTo } from '../../kernel/context.ts'
import { authorize } from '../../kernel/policy.ts'
import { listMails, type MailFilter, type MailPosition, type OutboxMail } from './outbox-queries.ts'

/** The mails that were written in the company's name, and an installer's in its dealers', the newest first. */
export async function readOutbox(
  { db, actor }: Context,
  filter: Omit<MailFilter, 'companyId'>,
  before: MailPosition | null,
  limit: number,
): Promise<OutboxMail[]> {
  authorize(actor, 'mails.read')
  return listMails(db, actor.installerId, { ...filter, companyId: confinedTo(actor) }, before, limit)
}
