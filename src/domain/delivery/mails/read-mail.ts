import { isId } from '../../../platform/ids.ts'
import { CannotOpen, type SecretBox } from '../../../platform/secret-box.ts'
import { sealedForLink } from '../../journal/mails/link-queries.ts'
import { withLink } from '../../journal/mails/write-mail.ts'
import { type Context, confinedTo } from '../../kernel/context.ts'
import { notFound } from '../../kernel/domain-error.ts'
import { listing } from '../../kernel/listing.ts'
import { authorize, may } from '../../kernel/policy.ts'
import { requirePerson } from '../../kernel/tenant/require-person.ts'
import { findOpen, noteInvitationShown } from '../../tenants/people/invitation-queries.ts'
import {
  findMail,
  listMails,
  type MailFilter,
  type MailPosition,
  type MailWithBody,
  type OutboxMail,
} from './outbox-queries.ts'

/** The mails that were written in the company's name, and an installer's in its dealers', the newest first. */
export const readOutbox = listing(
  'anything',
  async (
    { db, actor }: Context,
    filter: Omit<MailFilter, 'companyId'>,
    before: MailPosition | null,
    limit: number,
  ): Promise<OutboxMail[]> => {
    authorize(actor, 'mails.read')
    return listMails(db, actor.installerId, { ...filter, companyId: confinedTo(actor) }, before, limit)
  },
)

// What several owners are told at once is numbered.
const numbered = /_\d{1,6}$/

/** A mail of the actor's company, or an installer's of its dealers. */
export async function requireMail({ db, actor }: Context, id: string): Promise<MailWithBody> {
  const known = isId(id.replace(numbered, ''), 'mail')
    ? await findMail(db, { installerId: actor.installerId, id })
    : null
  const confined = confinedTo(actor)
  if (!known || (confined !== null && confined !== known.companyId)) throw notFound('mail')
  return known
}

interface ReadMail {
  mail: OutboxMail
  body: string
  /** It has an address that lets its reader in, which is not shown here. */
  hidesLink: boolean
}

/**
 * A mail as it was written, but for an address that lets its reader in. Where no mail is sent, that of an invitation
 * is shown to those who decide about it, while it can be accepted; one to choose a password is shown to nobody.
 */
export async function readMail(
  ctx: Context,
  id: string,
  { sendsMail, box }: { sendsMail: boolean; box: SecretBox },
): Promise<ReadMail> {
  authorize(ctx.actor, 'mails.read')
  const { body, linkKind, linkRef, linkSealed, ...mail } = await requireMail(ctx, id)
  const whole: MailWithBody = { ...mail, body, linkKind, linkRef, linkSealed }
  const link = sendsMail ? null : await linkOf(ctx, box, whole)
  return link
    ? { mail, body: withLink(body, link), hidesLink: false }
    : { mail, body, hidesLink: linkKind !== null }
}

async function linkOf(ctx: Context, box: SecretBox, mail: MailWithBody): Promise<string | null> {
  const { id, linkKind, linkRef, linkSealed } = mail
  if (linkKind !== 'invitation' || !linkRef || !linkSealed || !(await decidesAbout(ctx, linkRef))) return null
  try {
    const link = box.open(linkSealed, sealedForLink(ctx.actor.installerId, id))
    await noteInvitationShown(ctx.db, { installerId: ctx.actor.installerId, id: linkRef, now: ctx.now })
    return link
  } catch (error) {
    if (error instanceof CannotOpen) return null
    throw error
  }
}

/** Whether the actor may write this invitation: only owners decide about owners. */
async function decidesAbout(ctx: Context, invitationId: string): Promise<boolean> {
  const { db, actor, now } = ctx
  const invitation = await findOpen(db, { installerId: actor.installerId, id: invitationId, now })
  if (!invitation) return false
  await requirePerson(ctx, db, invitation.memberId)
  return invitation.role !== 'owner' || may(actor, 'people.manageOwners')
}
