import { createHash, randomBytes } from 'node:crypto'
import type { Db } from '../../../platform/db.ts'
import {
  deleteDevices,
  insertDevice,
  isAnybodysDevice,
  isKnownDevice,
  noteDeviceUsed,
} from './sign-in-queries.ts'

const tokenForm = /^[\w-]{43}$/

const hashOf = (token: string) => createHash('sha256').update(token).digest()

/** Whether the person of this email has signed in before in the browser that holds this secret. */
export async function knowsDevice(db: Db, token: string | null, email: string): Promise<boolean> {
  return token !== null && tokenForm.test(token) && isKnownDevice(db, { tokenHash: hashOf(token), email })
}

/**
 * Notes that a person signed in in the browser that holds this secret, and answers the one that it is to hold. One that
 * nobody has signed in with is not taken over: somebody else may have put it there.
 */
export async function noteDevice(
  db: Db,
  now: Date,
  userId: string,
  held: string | null,
): Promise<{ token: string; isNew: boolean }> {
  if (held !== null && tokenForm.test(held)) {
    const hash = hashOf(held)
    if (await noteDeviceUsed(db, { userId, tokenHash: hash, now })) return { token: held, isNew: false }
    if (await isAnybodysDevice(db, { tokenHash: hash })) {
      await insertDevice(db, { userId, tokenHash: hash, now })
      return { token: held, isNew: true }
    }
  }
  const token = randomBytes(32).toString('base64url')
  await insertDevice(db, { userId, tokenHash: hashOf(token), now })
  return { token, isNew: true }
}

/** In all browsers but the one named, the next sign-in is one from a new device. */
export function forgetDevices(db: Db, userId: string, kept: string | null): Promise<void> {
  return deleteDevices(db, { userId, keptHash: kept === null ? null : hashOf(kept) })
}
