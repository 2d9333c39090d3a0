import type { Db } from '../../../platform/db.ts'
import { newId, newToken } from '../../../platform/ids.ts'
import type { SecretBox } from '../../../platform/secret-box.ts'
import { recordSetting } from '../../journal/audit/record-setting.ts'
import { writeMail } from '../../journal/mails/write-mail.ts'
import type { Actor } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { canSignInBy } from '../../kernel/email.ts'
import type { Company } from '../../kernel/tenant/company.ts'
import type { Member } from '../../kernel/tenant/member.ts'
import { endInvitations } from './end-invitations.ts'
import { invitationMs, tokenHash } from './invitation.ts'
import { invitationMail } from './invitation-mail.ts'
import { countInvitations, insertInvitation } from './invitation-queries.ts'
import { accountOf } from './queries.ts'

const dayMs = 86_400_000
// Nobody's mailbox is filled in a company's name.
const mostADay = 10

export interface InvitationOrder {
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
  if (
    (await countInvitations(tx, { installerId, email, since: new Date(now.getTime() - dayMs) })) >= mostADay
  )
    throw new DomainError('invalid', `${name} was invited ${mostADay} times today. Go on tomorrow.`)
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
