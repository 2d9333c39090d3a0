import type { Db } from '../../../platform/db.ts'
import { newId, newToken } from '../../../platform/ids.ts'
import type { SecretBox } from '../../../platform/secret-box.ts'
import { recordSetting } from '../../journal/audit/record-setting.ts'
import { eraseLinks } from '../../journal/mails/link-queries.ts'
import { linkPlace, writeMail } from '../../journal/mails/write-mail.ts'
import type { Actor } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { canSignInBy } from '../../kernel/email.ts'
import type { Company } from '../../kernel/tenant/company.ts'
import type { Member, Role } from '../../kernel/tenant/member.ts'
import { invitationDays, invitationMs, tokenHash } from './invitation.ts'
import { countInvitations, endOfMember, insertInvitation } from './invitation-queries.ts'
import { accountOf } from './queries.ts'

/** Ends a member's open invitation and erases its link; whether there was one. In a transaction of the tenant's. */
export async function endInvitations(
  tx: Db,
  now: Date,
  { installerId, memberId }: { installerId: string; memberId: string },
  state: 'withdrawn' | 'replaced',
): Promise<boolean> {
  const ended = await endOfMember(tx, { installerId, memberId, state, now })
  await eraseLinks(tx, installerId, ended)
  return ended.length > 0
}

interface InvitationWords {
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

const dayMs = 86_400_000
// Nobody's mailbox is filled in a company's name.
const maxADay = 10

interface InvitationOrder {
  member: Member
  company: Company
  by: Actor
  /** Who invites, as the mail says it. */
  from: string
}

/** How a link is written: where it leads, and how it is kept until it is sent. */
export interface LinkWriting {
  baseUrl: string
  box: SecretBox
}

/**
 * Invites a member into their company, and answers the address that accepts it. It grants nothing until it is
 * accepted, and ends the one before. In a transaction that holds the tenant's lock.
 */
export async function writeInvitation(
  tx: Db,
  now: Date,
  { baseUrl, box }: LinkWriting,
  { member, company, by, from }: InvitationOrder,
): Promise<string> {
  const { id: memberId, name, email } = member
  const { id: companyId, installerId } = company
  if (!canSignInBy(email))
    throw new DomainError(
      'invalid',
      `Nobody can sign in by ${email}. Use an address of plain letters, digits and . _ - + before the @.`,
    )
  if (await accountOf(tx, { installerId, id: memberId }))
    throw new DomainError('invalid', `${name} works for ${company.name} already.`)
  if ((await countInvitations(tx, { installerId, email, since: new Date(now.getTime() - dayMs) })) >= maxADay)
    throw new DomainError('invalid', `${name} was invited ${maxADay} times today. Go on tomorrow.`)
  await endInvitations(tx, now, { installerId, memberId }, 'replaced')

  const token = newToken()
  const id = newId('invt')
  const expiresAt = new Date(now.getTime() + invitationMs)
  await insertInvitation(tx, {
    ...{ installerId, id, companyId, memberId, email, expiresAt },
    ...{ tokenHash: tokenHash(token), byId: by.id, byName: from },
    now,
  })
  const url = `${baseUrl}/invitation?token=${token}`
  const words = invitationMail({ name, company: company.name, from, role: member.role })
  const link = { kind: 'invitation' as const, ref: id, url, expiresAt }
  await writeMail(tx, now, { installerId, companyId, to: email, ...words }, { link, box })
  await recordSetting(tx, by, now, {
    type: 'invitation.written',
    companyId,
    subjectId: memberId,
    name,
    changes: { email: [null, email], role: [null, member.role] },
  })
  return url
}
