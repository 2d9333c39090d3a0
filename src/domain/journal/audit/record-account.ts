import type { Db } from '../../../platform/db.ts'
import { networkOf } from '../../../platform/network.ts'
import type { Membership } from '../../kernel/tenant/member.ts'
import { recordSecurity } from './record-security.ts'
import type { Origin, SecurityEvent, SecurityEventType } from './security-event.ts'

export interface AccountEvent {
  type: SecurityEventType
  /** Done by somebody who only says to be this person. */
  byStranger?: boolean
  changes?: SecurityEvent['changes']
}

/** Notes what happened to a person's way in: in the log of each company that they work for, as it opens all of them. */
export async function recordAccount(
  db: Db,
  now: Date,
  memberships: readonly Membership[],
  origin: Origin,
  event: AccountEvent,
): Promise<void> {
  await recordSecurity(
    db,
    now,
    memberships.map((membership) => accountEvent(membership, origin, event)),
  )
}

const maxPlaces = 10
const windowMs = 600_000

/** A try to sign in that came to nothing: it was wrong, or there were too many before it to look at it. */
export interface Failure {
  type: 'security.sign_in_failed' | 'security.sign_in_held_back'
  way: string
}

/**
 * Notes that somebody could not sign in as a person: once in ten minutes for each way and place that they try, with how
 * often; from many places together where there are many, so that nobody fills the log.
 */
export function createFailureNotes(): (
  db: Db,
  now: Date,
  memberships: readonly Membership[],
  origin: Origin,
  failure: Failure,
) => Promise<void> {
  let window = 0
  let places = new Map<string, Set<string>>()
  return async (db, now, memberships, origin, { type, way }) => {
    const [first] = memberships
    if (!first) return
    const current = Math.floor(now.getTime() / windowMs)
    if (current !== window) {
      window = current
      places = new Map()
    }
    const known = places.get(first.memberId) ?? new Set<string>()
    places.set(first.memberId, known)
    const place = networkOf(origin.address ?? '')
    if (known.size < maxPlaces) known.add(place)
    const isOne = known.has(place)
    const from = isOne ? origin : { address: null, device: null }
    const changes: SecurityEvent['changes'] = { way: [null, way] }
    await recordSecurity(
      db,
      now,
      memberships.map((membership) => ({
        ...accountEvent(membership, from, { type, byStranger: true, changes }),
        dedupeBy: [membership.memberId, way, isOne ? place : 'many'],
      })),
      'counted',
    )
  }
}

function accountEvent(
  { installerId, companyId, memberId, name }: Membership,
  origin: Origin,
  { type, byStranger, changes = {} }: AccountEvent,
): SecurityEvent {
  const actor = byStranger
    ? ({ kind: 'visitor', id: memberId, name: null } as const)
    : ({ kind: 'member', id: memberId, name } as const)
  return { type, installerId, companyId, actor, origin, subjectId: memberId, name, changes }
}
