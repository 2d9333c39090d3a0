import { linkPlace } from '../mails/write-mail.ts'

/** To somebody who wants to choose a new password, or whom somebody else takes for that. */
export function passwordMail({ name, link = linkPlace }: { name: string; link?: string }) {
  return {
    subject: 'Choose a new password',
    body: `Hello ${name},\n\nsomebody, probably you, wants to choose a new password for Sunstead. Do so within an hour here:\n\n${link}\n\nIf it was not you, nothing needs to be done.\n`,
  }
}
