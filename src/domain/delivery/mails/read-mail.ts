import { CannotOpen, type SecretBox } from '../../../platform/secret-box.ts'
import { sealedForLink } from '../../journal/mails/link-queries.ts'
import { withLink } from '../../journal/mails/write-mail.ts'
import type { Context } from '../../kernel/context.ts'
import { authorize, may } from '../../kernel/policy.ts'
import { requirePerson } from '../../kernel/tenant/require-person.ts'
import { findOpen, noteInvitationShown } from '../../tenants/people/invitation-queries.ts'
import type { OutboxMail, WholeMail } from './outbox-queries.ts'
import { requireMail } from './require-mail.ts'

export interface ReadMail {
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
  const whole: WholeMail = { ...mail, body, linkKind, linkRef, linkSealed }
  const link = sendsMail ? null : await linkOf(ctx, box, whole)
  return link
    ? { mail, body: withLink(body, link), hidesLink: false }
    : { mail, body, hidesLink: linkKind !== null }
}

async function linkOf(ctx: Context, box: SecretBox, mail: WholeMail): Promise<string | null> {
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
