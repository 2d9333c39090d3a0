import { linkPlace } from '../../journal/mails/write-mail.ts'

/** To somebody who wants to choose a new password, or whom somebody else takes for that. */
export function passwordMail({ name, link = linkPlace }: { name: string; link?: string }) {
  return {
    subject: 'Choose a new password',
    body: `Hello ${name},\n\nWe received a request to reset your Sunstead password. Choose a new one within an hour:\n\n${link}\n\nIf you didn’t ask for this, you can ignore this email.\n`,
  }
}
