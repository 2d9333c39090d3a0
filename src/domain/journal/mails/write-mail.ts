import type { Db } from '../../../platform/db.ts'
import { newId } from '../../../platform/ids.ts'
import type { SecretBox } from '../../../platform/secret-box.ts'
import { type Params, sql } from '../../../platform/sql/sql.ts'
import { run } from '../../../platform/sql/statements.ts'
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

type Written = NewMail & { id: string; now: Date; sealed: string | null } & {
  [K in Exclude<keyof MailLink, 'url'>]: MailLink[K] | null
}

const insertMail = run(
  ($: Params<Written>) => sql`
    insert into mails (installer_id, id, company_id, to_address, subject, body, created_at, next_attempt_at, urgent,
      link_kind, link_ref, link_sealed, link_expires_at)
    values (${$.installerId}, ${$.id}, ${$.companyId}, ${$.to}, ${$.subject}, ${$.body}, ${$.now}, ${$.now}, true,
      ${$.kind}, ${$.ref}, ${$.sealed}, ${$.expiresAt})`,
)

/** Queues a mail to a person, who waits for it; its link, where it has one, is kept apart from the text and sealed. */
export async function writeMail(
  db: Db,
  now: Date,
  mail: NewMail,
  letsIn?: { link: MailLink; box: SecretBox },
): Promise<string> {
  const id = newId('mail')
  const { kind = null, ref = null, expiresAt = null } = letsIn?.link ?? {}
  const sealed = letsIn ? letsIn.box.seal(letsIn.link.url, sealedForLink(mail.installerId, id)) : null
  await insertMail(db, { ...mail, id, now, kind, ref, sealed, expiresAt })
  return id
}

/** The text with its link in place. */
export function withLink(body: string, url: string): string {
  return body.replace(/^\[…\]$/m, () => url)
}
