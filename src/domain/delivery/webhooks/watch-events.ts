import { setTimeout as pause } from 'node:timers/promises'
import { currentMs } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/db.ts'
import { lockTenant } from '../../kernel/tenant/clock-queries.ts'
import { type Deliverers, dispatchMessages } from './dispatch-messages.ts'
import { endWatch } from './dispatch-queries.ts'

const betweenMs = 50
// As many messages in a pass as make a job for each dearer than looking again.
const busyFrom = 2
// So soon who writes queues jobs again after a crash; the one of who died is still in the queue.
const watchMs = 5_000

/**
 * Wakes endpoints for the tenant's events until nothing comes any more. In a busy tenant it looks again and again, and says so:
 * then whoever writes need not queue a job, which costs more than the write itself.
 */
export async function watchEvents(
  db: Database,
  installerId: string,
  deliverers: Deliverers,
  stopping: AbortSignal,
): Promise<void> {
  let watched = false
  while (!stopping.aborted) {
    const until = watched ? new Date(currentMs() + watchMs) : null
    const count = await dispatchMessages(db, installerId, deliverers, until)
    const busy = count >= busyFrom
    if (!busy && (!watched || (await stopWatching(db, installerId, false)))) return
    watched ||= busy
    await pause(betweenMs)
  }
  if (watched) await stopWatching(db, installerId, true)
}

/** Answers false where events have come meanwhile, unless it must stop anyway. */
function stopWatching(db: Database, installerId: string, anyway: boolean): Promise<boolean> {
  return db.transaction(async (tx) => {
    await lockTenant(tx, installerId)
    return (await endWatch(tx, { installerId, anyway })) !== null
  })
}
