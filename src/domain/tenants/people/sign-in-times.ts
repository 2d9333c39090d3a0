import type { Db } from '../../../platform/db.ts'
import { deleteSession } from './queries.ts'
import { claimCode, deleteEnded, touchSession } from './sign-in-queries.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** A session ends this long after it began, whatever happens. */
export const sessionDays = 90
/** A session that was not used for so long ends before. */
const idleMs = 30 * day
const touchMs = hour
/** For how long a browser is remembered in which nobody signs in. */
export const deviceDays = 400
/** An app shows a code for half a minute, and it is taken for as long before and after. */
const codeMs = 5 * minute

/** Whether a session goes on, and if so, that it was used just now. One that was idle for too long is over. */
export async function keepSession(
  db: Db,
  now: Date,
  { id, userId, updatedAt }: { id: string; userId: string; updatedAt: Date },
): Promise<boolean> {
  const idle = now.getTime() - updatedAt.getTime()
  if (idle > idleMs) {
    await deleteSession(db, { userId, id })
    return false
  }
  if (idle > touchMs) await touchSession(db, { id, now })
  return true
}

/** Whether a code of an authenticator app is tried for the first time. Of two who try it at once, one does. */
export function takeCode(db: Db, now: Date, userId: string, code: string): Promise<boolean> {
  return claimCode(db, { userId, code, now, since: new Date(now.getTime() - codeMs) })
}

export function sweepSignIns(db: Db, now: Date, signal: AbortSignal): Promise<void> {
  const before = (ms: number) => new Date(now.getTime() - ms)
  const bounds = {
    now,
    idleSince: before(idleMs),
    // Their end is by the clock of the host that made them.
    verificationsBefore: before(day),
    codesBefore: before(codeMs),
    devicesBefore: before(deviceDays * day),
  }
  return deleteEnded(db, bounds, signal)
}
