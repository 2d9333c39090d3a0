import type { Database } from '../../../platform/db.ts'
import { listReceivers, lockCursor, moveCursor } from './dispatch-queries.ts'
import { queueDelivery } from './queries.ts'

/** Who delivers in this process: those awake need no job to wake them. */
export interface Deliverers {
  /** Keeps an endpoint awake, where it is, until what is answered is called: then it looks for what is new. */
  hold(webhookId: string): (() => void) | null
}

/**
 * Wakes the endpoints that the tenant's new messages are for, in one transaction with how far that has come: none is
 * forgotten, whenever the process dies. Answers how many messages are new; `watchedUntil` says that it will look again.
 */
export async function dispatchMessages(
  db: Database,
  installerId: string,
  deliverers: Deliverers,
  watchedUntil: Date | null = null,
): Promise<number> {
  const releases: (() => void)[] = []
  try {
    return await db.transaction(async (tx) => {
      const cursor = await lockCursor(tx, { installerId })
      if (!cursor || cursor.newest <= cursor.woken) return 0
      // Endpoints are listed after the messages: one that was made before an event is always found.
      const receivers = await listReceivers(tx, { installerId, ...cursor })
      await moveCursor(tx, { installerId, woken: cursor.newest, watchedUntil })
      const asleep = receivers.filter(({ id }) => {
        const release = deliverers.hold(id)
        if (release) releases.push(release)
        return release === null
      })
      await queueDelivery(
        tx,
        installerId,
        asleep.map(({ id }) => id),
      )
      return cursor.newest - cursor.woken
    })
  } finally {
    for (const release of releases) release()
  }
}
