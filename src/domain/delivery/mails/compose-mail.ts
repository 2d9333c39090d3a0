import type { SecretBox } from '../../../platform/secret-box.ts'
import { textToSend } from './link-mailed.ts'
import type { LeasedMail } from './queries.ts'

export interface ComposedMail {
  /** The same for every try of a mail, so that a receiver knows one it has already. */
  messageId: string
  to: string
  subject: string
  text: string
  date: Date
}

/** A mail as it leaves the house. What is kept apart from its text until then is put in here. */
export function composeMail(mail: LeasedMail, host: string, box: SecretBox): ComposedMail {
  return {
    messageId: `<${mail.id}@${host}>`,
    to: mail.to,
    subject: mail.subject,
    text: textToSend(box, mail),
    date: mail.createdAt,
  }
}

/** The host that names our mails: that of the address they come from. */
export function messageHost(from: string): string {
  const host = /@([\w.-]+)>?\s*$/.exec(from)?.[1]
  return host ?? 'sunstead.invalid'
}
