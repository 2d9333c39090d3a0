import { linkPlace } from '../mails/write-mail.ts'
import type { Role } from '../members/member.ts'
import { invitationDays } from './invitation.ts'

export interface InvitationWords {
  /** Who is invited. */
  name: string
  company: string
  /** Who invites. */
  from: string
  role: Role
  /** Put in when it is sent, where none is given. */
  link?: string
}

export function invitationMail({ name, company, from, role, link = linkPlace }: InvitationWords) {
  return {
    subject: `${company} invites you to Sunstead`,
    body: `Hello ${name},\n\n${from} has invited you to work with ${company} in Sunstead, as ${role}. Accept within ${invitationDays} days here. Who has no account chooses a password; who has one signs in as always:\n\n${link}\n\nIf you do not know what this is about, nothing needs to be done: it grants nothing to anybody until you accept.\n`,
  }
}
