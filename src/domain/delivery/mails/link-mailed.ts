import type { Db } from '../../../platform/db.ts'
import type { SecretBox } from '../../../platform/secret-box.ts'
import { sealedForLink } from '../../journal/mails/link-queries.ts'
import { withLink } from '../../journal/mails/write-mail.ts'
import { noteInvitationMailed } from '../../tenants/people/invitation-queries.ts'
import { notePasswordLinkMailed } from '../../tenants/people/password-link.ts'
import type { LeasedMail } from './queries.ts'

/** The text as it is sent, with the link that is kept apart from it. */
export function textToSend(box: SecretBox, mail: LeasedMail): string {
  if (mail.linkKind === null) return mail.body
  return withLink(mail.body, linkOf(box, mail))
}

/** It went out: who comes back with its link reads the address that it was sent to. */
export async function noteLinkMailed(db: Db, box: SecretBox, mail: LeasedMail, now: Date): Promise<void> {
  const { installerId, linkKind, linkRef } = mail
  if (linkKind === 'invitation') await noteInvitationMailed(db, { installerId, id: linkRef!, now })
  if (linkKind === 'password')
    await notePasswordLinkMailed(db, new URL(linkOf(box, mail)).searchParams.get('token')!, now)
}

function linkOf(box: SecretBox, { installerId, id, linkSealed }: LeasedMail): string {
  if (linkSealed === null) throw new Error('Its link is of no use any more.')
  return box.open(linkSealed, sealedForLink(installerId, id))
}
