import { randomBytes } from 'node:crypto'
import type { Database } from '../../platform/db.ts'
import { withinTransaction } from '../../platform/within-transaction.ts'
import { recordSecurity } from '../audit/record-security.ts'
import type { SecurityEvent, SecurityEventType } from '../audit/security-event.ts'
import { DomainError } from '../domain-error.ts'
import { type AccountChange, tellPerson } from './account-mails.ts'
import { forgetDevices } from './devices.ts'
import {
  asksForCodes,
  deleteSessions,
  deleteVerifications,
  dropCodes,
  listMemberships,
  type Membership,
} from './queries.ts'
import { requireUser, setPassword } from './set-password.ts'
import { countPasskeys, dropPasskeys } from './sign-in-queries.ts'

export interface NewAccess {
  email: string
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
    email,
    password = randomBytes(12).toString('base64url'),
    dropCodes: drop,
    dropPasskeys: dropKeys,
  }: NewAccess,
): Promise<{ name: string; password: string }> {
  return db.transaction(async (tx) => {
    const within = withinTransaction(tx)
    const memberships = await listMemberships(within, email)
    const [first] = memberships
    if (!first) {
      throw new DomainError(
        'not_found',
        `No active member of an active company has the email ${email}. Add one with "sunstead member invite".`,
      )
    }
    const { name } = first
    await setPassword(within, now, { email, name, password })
    const userId = await requireUser(within, now, { email, name })
    await deleteSessions(within, userId, null)
    await deleteVerifications(within, userId)
    await forgetDevices(within, userId, null)
    const tell = async (change: AccountChange, type: SecurityEventType) => {
      await recordSecurity(
        within,
        now,
        memberships.map((membership) => byOperator(membership, type)),
      )
      await tellPerson(within, email, { name, change, at: now, from: null, baseUrl })
    }
    await tell('passwordChanged', 'security.password_given')
    if (drop && (await asksForCodes(within, userId))) {
      await dropCodes(within, userId, now)
      await tell('codesTurnedOff', 'security.codes_turned_off')
    }
    if (dropKeys && (await countPasskeys(within, userId)) > 0) {
      await dropPasskeys(within, userId)
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
