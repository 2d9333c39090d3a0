import type { Database, Db } from '../../../platform/db.ts'
import { DomainError, TryLater } from '../../kernel/domain-error.ts'
import type { Membership } from '../../kernel/tenant/member.ts'
import { claimFactors, countFactors, countPasskeys } from './sign-in-queries.ts'

/**
 * What a person lacks where their company requires a second factor: one at all, having used it, or the company's word
 * that they may set up another one, as whoever reads their mail removed the one that it knew.
 */
export type FactorGap = 'none' | 'unused' | 'lost'

const required = 'Your company requires a second factor of its owners and admins.'
const ways: Record<FactorGap, string> = {
  none: 'Set one up under Account to go on.',
  unused: 'Sign in again with yours to go on.',
  lost: 'Yours was removed when a password was chosen by mail. Ask another owner or admin to reset it under People, or whoever runs the server.',
}

/** The company requires a second factor, and the session is without. */
export class SecondFactorRequired extends DomainError {
  constructor(gap: FactorGap) {
    super('forbidden', `${required} ${ways[gap]}`)
  }
}

export interface FactorHolder {
  userId: string
  asksForCodes: boolean
  /** Whether the session was begun with more than a password. */
  secondFactor: boolean
}

/** Whether the company requires it of this member. */
export function isRequired({
  secondFactorRequired,
  role,
}: Pick<Membership, 'secondFactorRequired' | 'role'>): boolean {
  return secondFactorRequired && (role === 'owner' || role === 'admin')
}

async function hasFactor(db: Db, { userId, asksForCodes }: FactorHolder): Promise<boolean> {
  return asksForCodes || (await countPasskeys(db, { userId })) > 0
}

/** What stands between a person and the company they work for just now; null where nothing does. */
export async function factorGap(
  db: Db,
  person: FactorHolder,
  current: Membership,
): Promise<FactorGap | null> {
  if (!isRequired(current)) return null
  if (current.factorLost) return 'lost'
  if (person.secondFactor) return null
  return (await hasFactor(db, person)) ? 'unused' : 'none'
}

/** Where any company of the person requires a second factor, what binds them elsewhere waits until they have used it. */
export async function requireSecondFactor(
  db: Db,
  person: FactorHolder,
  memberships: readonly Membership[],
): Promise<void> {
  if (person.secondFactor || !memberships.some(isRequired)) return
  throw new SecondFactorRequired((await hasFactor(db, person)) ? 'unused' : 'none')
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

export type Factor = 'codes' | 'passkey'

/**
 * Removes a factor. The last one stays where a company of the person requires one: who removes two at the same time has
 * the second refused, as what is left is looked at while nobody else removes any.
 */
export async function deleteFactor<T>(
  db: Database,
  { userId }: FactorHolder,
  memberships: readonly Membership[],
  gone: Factor,
  remove: () => Promise<T>,
): Promise<T> {
  const by = memberships.find(isRequired)
  if (!by) return remove()
  return db.transaction(async (tx) => {
    if (!(await claimFactors(tx, { userId })))
      throw new TryLater('unavailable', 'You are changing how you sign in elsewhere. Try again.', 1)
    const { codes, passkeys } = await countFactors(tx, userId)
    const left = gone === 'codes' ? passkeys : passkeys - 1 + codes
    if (left > 0) return remove()
    throw new DomainError(
      'forbidden',
      `${by.companyName} requires a second factor of its owners and admins. Add another one first, then this one can go.`,
    )
  })
}
