import { createHash } from 'node:crypto'
import type { Db } from '../../platform/db.ts'
import { newId, newToken } from '../../platform/ids.ts'
import { findVerifiedUser, insertVerification } from './queries.ts'

/** As better-auth keeps the links that it makes itself: only a hash, under this name. */
const identifierOf = (token: string) =>
  createHash('sha256').update(`reset-password:${token}`).digest('base64url')

/** Makes the secret with which a person may choose a password, once. */
export async function makePasswordLink(
  db: Db,
  now: Date,
  userId: string,
  lifetimeMs: number,
): Promise<string> {
  const token = newToken()
  const expiresAt = new Date(now.getTime() + lifetimeMs)
  await insertVerification(
    db,
    newId('verf'),
    { identifier: identifierOf(token), value: userId, expiresAt },
    now,
  )
  return token
}

/** Whose password may be chosen with this secret; null where it was used, has run out or never was. */
export function readPasswordLink(
  db: Db,
  now: Date,
  token: string,
): Promise<{ name: string; email: string } | null> {
  return findVerifiedUser(db, identifierOf(token), now)
}
