import { isUniqueViolation } from '../../../platform/database-errors.ts'
import type { Database, Db } from '../../../platform/db.ts'
import { withinTransaction } from '../../../platform/within-transaction.ts'
import { recordSetting } from '../../journal/audit/record-setting.ts'
import type { Origin } from '../../journal/audit/security-event.ts'
import { eraseLinks } from '../../journal/mails/link-queries.ts'
import type { Actor } from '../../kernel/context.ts'
import { DomainError, notFound } from '../../kernel/domain-error.ts'
import { lockTenant } from '../../kernel/tenant/clock-queries.ts'
import { type Invitation, tokenHash } from './invitation.ts'
import { endInvitation, findByToken, listByEmail } from './invitation-queries.ts'
import { proveAddress } from './prove-address.ts'
import { findAccount, joinCompany, lockAccount } from './queries.ts'
import { checkNewPassword, requireUser, savePasswordOf } from './set-password.ts'

/** Where somebody answers an invitation from: they may work for nobody yet. */
export interface Answering {
  db: Database
  now: Date
  origin: Origin
}

/** Who is signed in, whatever they work for. */
export interface SignedIn {
  userId: string
  email: string
  proven: boolean
}

/** What a link invites to; null where it was used, withdrawn or replaced, has run out or never was. */
export function readInvitation(db: Db, now: Date, token: string): Promise<Invitation | null> {
  return findByToken(db, { tokenHash: tokenHash(token), now })
}

/** Accepts by the company's own link where the address has no account yet: it is made with this password. */
export async function acceptWithPassword(
  from: Answering,
  token: string,
  password: string,
): Promise<Invitation> {
  const { db, now } = from
  const invitation = await requireInvitation(db, now, token)
  const { email, name } = invitation
  await refuseUsed(db, email)
  await checkNewPassword(db, { email, name }, password, [invitation.companyName])
  await db.transaction(async (tx) => {
    const within = withinTransaction(tx)
    const userId = await requireUser(within, now, { email, name })
    // Another company's link may have made the account meanwhile.
    await lockAccount(within, { userId })
    await refuseUsed(within, email)
    await savePasswordOf(within, now, userId, password)
    await accept({ ...from, db: within }, invitation, userId)
    if (invitation.mailed) await proveAddress(within, now, userId)
  })
  return invitation
}

async function refuseUsed(db: Db, email: string): Promise<void> {
  if ((await findAccount(db, { email }))?.used)
    throw new DomainError(
      'invalid',
      `There is an account for ${email} already. Sign in with it, then accept.`,
    )
}

/** Accepts by the company's own link, as the account of the address that it was written to. */
export async function acceptByLink(
  from: Answering,
  token: string,
  { userId }: SignedIn,
): Promise<Invitation> {
  const { db, now } = from
  const invitation = await requireInvitation(db, now, token)
  if ((await findAccount(db, { email: invitation.email }))?.id !== userId)
    throw new DomainError(
      'forbidden',
      `This invitation is for ${invitation.email}. Sign out, and sign in as that account.`,
    )
  await db.transaction((tx) => accept({ ...from, db: withinTransaction(tx) }, invitation, userId))
  return invitation
}

/** What a person is invited to. Only a proven address is told: whoever holds an account by another may be anybody. */
export async function listInvitations(db: Db, now: Date, { email, proven }: SignedIn): Promise<Invitation[]> {
  return proven ? listByEmail(db, { email, now }) : []
}

/** Accepts without the link, by an address that was proven by mail. */
export async function acceptPending(from: Answering, id: string, person: SignedIn): Promise<Invitation> {
  const { db, now } = from
  const invitation = await requirePending(db, now, id, person)
  await db.transaction((tx) => accept({ ...from, db: withinTransaction(tx) }, invitation, person.userId))
  return invitation
}

export async function declinePending(from: Answering, id: string, person: SignedIn): Promise<void> {
  await decline(from, await requirePending(from.db, from.now, id, person))
}

export async function declineByLink(from: Answering, token: string): Promise<void> {
  await decline(from, await requireInvitation(from.db, from.now, token))
}

async function requireInvitation(db: Db, now: Date, token: string): Promise<Invitation> {
  const invitation = await readInvitation(db, now, token)
  if (!invitation) throw notFound('invitation')
  return invitation
}

async function requirePending(db: Db, now: Date, id: string, person: SignedIn): Promise<Invitation> {
  const invitation = (await listInvitations(db, now, person)).find((one) => one.id === id)
  if (!invitation) throw notFound('invitation')
  return invitation
}

/** Under the tenant's lock, which whoever withdraws or deactivates holds too: of two at once, one wins. */
async function accept(from: Answering, invitation: Invitation, userId: string): Promise<void> {
  const { db: tx, now } = from
  const { installerId, id, memberId, companyName } = invitation
  await lockAccount(tx, { userId })
  await lockTenant(tx, installerId)
  if (!(await endInvitation(tx, { ...invitation, state: 'accepted', now }))) throw notFound('invitation')
  try {
    if (!(await joinCompany(tx, { installerId, id: memberId, userId, now }))) throw notFound('invitation')
  } catch (error) {
    if (!isUniqueViolation(error, 'members_by_account')) throw error
    throw new DomainError('invalid', `You work for ${companyName} already.`)
  }
  await eraseLinks(tx, installerId, [id])
  await note(tx, from, invitation, 'invitation.accepted')
}

async function decline(from: Answering, invitation: Invitation): Promise<void> {
  const { db, now } = from
  await db.transaction(async (tx) => {
    await lockTenant(tx, invitation.installerId)
    if (!(await endInvitation(tx, { ...invitation, state: 'declined', now }))) throw notFound('invitation')
    await eraseLinks(tx, invitation.installerId, [invitation.id])
    await note(tx, from, invitation, 'invitation.declined')
  })
}

async function note(tx: Db, { now, origin }: Answering, invitation: Invitation, type: string): Promise<void> {
  const { installerId, companyId, companyKind, memberId, name, role, email } = invitation
  const actor: Actor = {
    ...{ kind: 'member', id: memberId, name, role, installerId, companyId, companyKind },
    canWrite: true,
    ...origin,
  }
  await recordSetting(tx, actor, now, {
    ...{ type, companyId, subjectId: memberId, name },
    changes: { email: [null, email] },
  })
}
