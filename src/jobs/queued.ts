import type { DeliveryWorkers } from '../domain/delivery/webhooks/delivery-workers.ts'
import { wakeOverdue } from '../domain/delivery/webhooks/log-queries.ts'
import { deletedWebhooksChannel } from '../domain/delivery/webhooks/queries.ts'
import { currentTime } from '../platform/clock.ts'
import type { Database } from '../platform/db.ts'
import type { Session } from '../platform/leader.ts'
import type { Log } from '../platform/log.ts'
import { startQueue } from '../platform/queue.ts'
import type { LongJobs } from './long-jobs.ts'
import { webhookTasks } from './webhooks.ts'

interface Queued {
  db: Database
  url: string
  session: Session
  connections: number
  workers: DeliveryWorkers
  longJobs: LongJobs
  log: Log
}

/** Runs what is queued: deliveries and long work. */
export async function startQueued({ db, url, session, connections, workers, longJobs, log }: Queued) {
  const webhooks = webhookTasks(db, workers)
  const queue = await startQueue(url, { ...webhooks.tasks, ...longJobs.tasks }, log, connections)
  const stop = async (limitMs?: number) => {
    await Promise.all([longJobs.stop(), queue.stop(limitMs), webhooks.stop()])
  }
  try {
    await session.listen(deletedWebhooksChannel, workers.cut)
    // What waited while nobody was here begins at once.
    await wakeOverdue(db, currentTime(), [])
    await longJobs.start(session)
  } catch (error) {
    await stop()
    throw error
  }
  return { stop }
}
