import { linkPlace } from '../../journal/mails/write-mail.ts'
import type { Role } from '../../kernel/tenant/member.ts'
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

const roleWords: Record<Role, string> = {
  owner: 'an owner',
  admin: 'an admin',
  manager: 'a manager',
  rep: 'a sales rep',
  setter: 'a setter',
  surveyor: 'a site surveyor',
  subcontractor: 'a subcontractor',
}

export function invitationMail({ name, company, from, role, link = linkPlace }: InvitationWords) {
  return {
    subject: `${company} has invited you to Sunstead`,
    body: `Hello ${name},\n\n${from} has invited you to join ${company} on Sunstead as ${roleWords[role]}. Accept within ${invitationDays} days. If you don’t have an account yet, you’ll choose a password; otherwise, sign in as usual:\n\n${link}\n\nIf you weren’t expecting this, you can ignore it. Nobody gets access to anything until you accept.\n`,
  }
}
