import { randomBytes } from 'node:crypto'
import type { Database, Db } from '../../../platform/db.ts'
import { withinTransaction } from '../../../platform/within-transaction.ts'
import { recordSecurity } from '../../journal/audit/record-security.ts'
import type { SecurityEvent, SecurityEventType } from '../../journal/audit/security-event.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { requireEmail } from '../../kernel/email.ts'
import { lockTenant } from '../../kernel/tenant/clock-queries.ts'
import type { Membership } from '../../kernel/tenant/member.ts'
import { requireCompany } from '../../kernel/tenant/require-company.ts'
import { type AccountChange, notifyPerson } from './account-mails.ts'
import { forgetDevices } from './devices.ts'
import { endPasswordLinks } from './password-link.ts'
import {
  type ActiveMember,
  asksForCodes,
  deleteCodes,
  deleteSessions,
  findAccount,
  joinCompany,
  listActiveMembers,
  listMemberships,
  lockAccount,
} from './queries.ts'
import { forgiveLostFactor, listOwnMembers } from './second-factor-queries.ts'
import { setPassword } from './set-password.ts'
import { countPasskeys, deletePasskeys } from './sign-in-queries.ts'
import { endInvitations } from './write-invitation.ts'

export interface NewAccess {
  email: string
  /** The company that the person joins by it, where they have not accepted its invitation. */
  company?: string | undefined
  /** Made up where none is given. */
  password?: string | undefined
  /** Also turns off the codes of the authenticator app. */
  dropCodes?: boolean | undefined
  /** Also removes the passkeys. */
  dropPasskeys?: boolean | undefined
}

/** Gives a person a password, by whoever runs the server; ends their sessions and older links. */
export async function resetAccess(
  db: Database,
  now: Date,
  baseUrl: string,
  {
    email: typed,
    company,
    password = randomBytes(12).toString('base64url'),
    dropCodes: drop,
    dropPasskeys: dropKeys,
  }: NewAccess,
): Promise<{ name: string; password: string }> {
  const email = requireEmail(typed)
  return db.transaction(async (tx) => {
    const within = withinTransaction(tx)
    const joining = await memberToJoin(within, email, company)
    const account = await findAccount(within, { email })
    const name = joining?.name ?? (await listMemberships(within, { userId: account!.id }))[0]!.name
    const userId = await setPassword(within, now, { email, name, password })
    await lockAccount(within, { userId })
    await deleteSessions(within, { userId, keptId: null })
    await endPasswordLinks(within, userId)
    await forgetDevices(within, userId, null)
    for (const { installerId, id } of await listOwnMembers(within, { userId }))
      await forgiveLostFactor(within, { installerId, id })
    if (joining) await join(within, now, joining, userId)
    const memberships = await listMemberships(within, { userId })
    const tell = async (change: AccountChange, type: SecurityEventType) => {
      await recordSecurity(
        within,
        now,
        memberships.map((membership) => byOperator(membership, type)),
      )
      await notifyPerson(within, { id: userId, email }, { name, change, at: now, from: null, baseUrl })
    }
    await tell('passwordChanged', 'security.password_given')
    if (drop && (await asksForCodes(within, userId))) {
      await deleteCodes(within, { userId, now })
      await tell('codesTurnedOff', 'security.codes_turned_off')
    }
    // Whoever had the account before it is given a company may be somebody else.
    if ((dropKeys || joining) && (await countPasskeys(within, { userId })) > 0) {
      await deletePasskeys(within, { userId })
      await tell('passkeyRemoved', 'security.passkey_removed')
    }
    return { name, password }
  })
}

function byOperator(membership: Membership, type: SecurityEventType): SecurityEvent {
  const { installerId, companyId, memberId, name } = membership
  const actor = { kind: 'job', id: null, name: 'Command line' } as const
  return {
    type,
    installerId,
    companyId,
    actor,
    origin: { address: null, device: null },
    subjectId: memberId,
    name,
  }
}

async function join(tx: Db, now: Date, member: ActiveMember, userId: string): Promise<void> {
  const { installerId, id: memberId } = member
  await lockTenant(tx, installerId)
  await endInvitations(tx, now, { installerId, memberId }, 'withdrawn')
  await joinCompany(tx, { ...member, userId, now })
}

/** Who joins a company by being given a password: null where they work for one already and none is named. */
async function memberToJoin(
  db: Database,
  email: string,
  companyKey: string | undefined,
): Promise<ActiveMember | null> {
  const named = companyKey === undefined ? null : await requireCompany(db, companyKey)
  const members = await listActiveMembers(db, { email })
  const account = await findAccount(db, { email })
  const works = account !== null && (await listMemberships(db, { userId: account.id })).length > 0
  if (!named && works) return null
  const candidates = members.filter(({ companyId }) => !named || companyId === named.id)
  if (candidates.length > 1) {
    throw new DomainError(
      'invalid',
      `${email} is a member of ${candidates.map(({ companyName }) => companyName).join(' and ')}: say --company.`,
    )
  }
  const [only] = candidates
  if (!only) {
    throw new DomainError(
      'not_found',
      `No active member of ${named?.name ?? 'an active company'} has the email ${email}. Add one with "sunstead member invite".`,
    )
  }
  if (only.userId !== null && only.userId !== account?.id)
    throw new DomainError('invalid', `${only.companyName} knows ${email} by another account.`)
  return only.userId === null ? only : null
}
