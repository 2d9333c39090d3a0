import type { Db } from '../../platform/db.ts'
import { DomainError } from '../domain-error.ts'
import type { Membership } from './queries.ts'
import { countPasskeys } from './sign-in-queries.ts'

/** What a person lacks where their company requires a second factor: one at all, or having used it. */
export type FactorGap = 'none' | 'unused'

/** The company requires a second factor, and the session is without. */
export class SecondFactorRequired extends DomainError {
  constructor(gap: FactorGap) {
    super(
      'forbidden',
      gap === 'none'
        ? 'Your company requires a second factor of its owners and admins. Set one up under Account to go on.'
        : 'Your company requires a second factor of its owners and admins. Sign in again with yours to go on.',
    )
  }
}

export interface FactorHolder {
  userId: string
  asksForCodes: boolean
  /** Whether the session was begun with more than a password. */
  secondFactor: boolean
}

function isRequired({ secondFactorRequired, role }: Membership): boolean {
  return secondFactorRequired && (role === 'owner' || role === 'admin')
}

async function hasFactor(db: Db, { userId, asksForCodes }: FactorHolder): Promise<boolean> {
  return asksForCodes || (await countPasskeys(db, userId)) > 0
}

/** What stands between a person and the company they work for just now; null where nothing does. */
export async function factorGap(
  db: Db,
  person: FactorHolder,
  current: Membership,
): Promise<FactorGap | null> {
  if (person.secondFactor || !isRequired(current)) return null
  return (await hasFactor(db, person)) ? 'unused' : 'none'
}

/**
 * Where a second factor is required, how somebody signs in is changed only with a session that had it: who knows no more
 * than the password could otherwise put their own in its place.
 */
export async function requireFactorUsed(
  db: Db,
  person: FactorHolder,
  memberships: readonly Membership[],
): Promise<void> {
  if (person.secondFactor || !memberships.some(isRequired) || !(await hasFactor(db, person))) return
  throw new SecondFactorRequired('unused')
}

/** The last factor stays where a company of the person requires one. */
export async function requireAnotherFactor(
  db: Db,
  person: FactorHolder,
  memberships: readonly Membership[],
  gone: 'codes' | 'passkey',
): Promise<void> {
  const by = memberships.find(isRequired)
  if (!by) return
  const passkeys = await countPasskeys(db, person.userId)
  const left = gone === 'codes' ? passkeys : passkeys - 1 + (person.asksForCodes ? 1 : 0)
  if (left > 0) return
  throw new DomainError(
    'forbidden',
    `${by.companyName} requires a second factor of its owners and admins. Add another one first, then this one can go.`,
  )
}
