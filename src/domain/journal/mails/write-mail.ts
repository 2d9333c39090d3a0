import type { Db, Statement } from '../../../platform/db.ts'
import { newId } from '../../../platform/ids.ts'
import type { SecretBox } from '../../../platform/secret-box.ts'
import { sealedForLink } from './link-queries.ts'

/** Where a link that lets its reader in goes, on a line of its own: it is put in when the mail is sent. */
export const linkPlace = '[…]'

/** A link that lets its reader in. */
export interface MailLink {
  kind: 'invitation' | 'password'
  /** The invitation, or the account whose password it lets choose. */
  ref: string
  url: string
  expiresAt: Date
}

export interface NewMail {
  installerId: string
  companyId: string
  to: string
  subject: string
  body: string
}

const insertStatement: Statement = {
  name: 'insert-mail',
  text: `insert into mails (installer_id, id, company_id, to_address, subject, body, created_at, next_attempt_at, urgent,
      link_kind, link_ref, link_sealed, link_expires_at)
    values ($1, $2, $3, $4, $5, $6, $7, $7, true, $8, $9, $10, $11)`,
}

/** Queues a mail to a person, who waits for it; its link, where it has one, is kept apart from the text and sealed. */
export async function writeMail(
  db: Db,
  now: Date,
  mail: NewMail,
  letsIn?: { link: MailLink; box: SecretBox },
): Promise<string> {
  const id = newId('mail')
  const { installerId, companyId, to, subject, body } = mail
  const link = letsIn?.link
  await db.query(insertStatement, [
    installerId,
    id,
    companyId,
    to,
    subject,
    body,
    now,
    link?.kind ?? null,
    link?.ref ?? null,
    letsIn ? letsIn.box.seal(letsIn.link.url, sealedForLink(installerId, id)) : null,
    link?.expiresAt ?? null,
  ])
  return id
}

/** The text with its link in place. */
export function withLink(body: string, url: string): string {
  return body.replace(/^\[…\]$/m, () => url)
}
