import { currentMs, currentTime } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/db.ts'
import { type Endpoint, listDue, type Outgoing, type Result } from './delivery-queries.ts'
import { listNew } from './log-queries.ts'

export interface Intake {
  /** Whether something may wait that was not taken up yet. */
  mayHaveMore(): boolean
  /** When the next one is tried again, as far as is known here. */
  dueAtMs(): number
  /** Takes up what is to be sent again and what is new, in this order; null where the endpoint is not enabled. */
  take(): Promise<{ endpoint: Endpoint; messages: Outgoing[] } | null>
  expectNew(): void
  expectDue(atMs: number): void
  /** Up to where everything new is settled once these are; null where nothing new was taken up. */
  placeAfter(results: readonly Result[]): number | null
  settled(results: readonly Result[]): void
}

const batch = 32

/** What failed before the endpoint was disabled comes before what has waited since. */
function hasWaited({
  endpoint: { waitedUntil },
  messages,
}: {
  endpoint: Endpoint
  messages: Outgoing[]
}): boolean {
  return waitedUntil !== null && messages.some(({ at }) => at.getTime() <= Date.parse(waitedUntil))
}

/** What one endpoint takes up from the log and from what failed before. */
export function createIntake(db: Database, installerId: string, webhookId: string): Intake {
  /** Taken up and not settled, in the order of the log. */
  const fresh = new Set<Outgoing>()
  const again = new Map<string, Outgoing>()
  let readTo: number | null = null
  let mayBeNew = true
  let dueAtMs = 0

  async function takeDue() {
    const now = currentTime()
    dueAtMs = Number.POSITIVE_INFINITY
    // Half a batch: those that fail never keep the new ones from being taken up.
    const found = await listDue(db, {
      installerId,
      webhookId,
      now,
      underWay: [...again.keys()],
      limit: batch / 2,
    })
    for (const message of found?.messages ?? []) again.set(message.id, message)
    if (found?.messages.length === batch / 2) dueAtMs = now.getTime()
    return found
  }

  async function takeNew() {
    mayBeNew = false
    const found = await listNew(db, { installerId, webhookId, after: readTo, count: batch })
    if (!found) return null
    for (const message of found.messages) fresh.add(message)
    readTo = found.readTo
    if (readTo < found.newest) mayBeNew = true
    return found
  }

  return {
    mayHaveMore: () => mayBeNew || currentMs() >= dueAtMs,
    dueAtMs: () => dueAtMs,
    async take() {
      const due = currentMs() >= dueAtMs ? await takeDue() : null
      if (due && !mayBeNew) return due
      if (due && hasWaited(due)) return due
      const found = await takeNew()
      return found && { ...found, messages: [...(due?.messages ?? []), ...found.messages] }
    },
    expectNew() {
      mayBeNew = true
    },
    expectDue(atMs) {
      dueAtMs = Math.min(dueAtMs, atMs)
    },
    placeAfter(results) {
      const settling = new Set(results.map((result) => result.message))
      for (const message of fresh) if (!settling.has(message)) return message.number! - 1
      return readTo
    },
    settled(results) {
      for (const { message, state, nextAttemptAt } of results) {
        fresh.delete(message)
        again.delete(message.id)
        if (state === 'due') dueAtMs = Math.min(dueAtMs, nextAttemptAt.getTime())
      }
    },
  }
}
