import type { Db } from '../../platform/db.ts'
import { newId } from '../../platform/ids.ts'
import type { Company } from '../companies/company.ts'
import type { Member } from '../members/member.ts'
import { invitationDays, invitationMail } from './invitation-mail.ts'
import { makePasswordLink } from './password-link.ts'
import { insertPersonMail, withPassword } from './queries.ts'
import { requireUser } from './set-password.ts'

const lifetimeMs = invitationDays * 86_400_000

export interface Invitation {
  member: Member
  company: Company
  /** Who invites, as the mail says it. */
  from: string
  baseUrl: string
}

/** Writes to a member how to come in, and answers the address that does it. */
export async function writeInvitation(
  db: Db,
  now: Date,
  { member, company, from, baseUrl }: Invitation,
): Promise<string> {
  const { name, email } = member
  const userId = await requireUser(db, now, member)
  // Who signs in for another company already keeps their password: no mail of this one may change it.
  const known = (await withPassword(db, [email])).has(email.toLowerCase())
  const link = known
    ? `${baseUrl}/sign-in`
    : `${baseUrl}/invitation?token=${await makePasswordLink(db, now, userId, lifetimeMs)}`
  const mail = {
    installerId: company.installerId,
    companyId: company.id,
    to: email,
    ...invitationMail({ name, company: company.name, from, link, known }),
  }
  await insertPersonMail(db, newId('mail'), mail, now)
  return link
}
