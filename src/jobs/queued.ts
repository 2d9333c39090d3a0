import type { DeliveryWorkers } from '../domain/delivery/webhooks/delivery-workers.ts'
import { wakeOverdue } from '../domain/delivery/webhooks/log-queries.ts'
import { deletedWebhooksChannel } from '../domain/delivery/webhooks/queries.ts'
import type { JobRequests } from '../platform/citus/job-requests.ts'
import { currentTime } from '../platform/clock.ts'
import { isUnavailable } from '../platform/database-errors.ts'
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
  /** Where tenants live on nodes that have no queue. */
  requests: JobRequests | null
  log: Log
}

/** A node that holds some of the tenants: the others begin without it, and it is looked for every minute. */
const unlessAway = (error: unknown) => {
  if (!isUnavailable(error)) throw error
}

/** Runs what is queued: deliveries and long work. */
export async function startQueued({
  db,
  url,
  session,
  connections,
  workers,
  longJobs,
  requests,
  log,
}: Queued) {
  const webhooks = webhookTasks(db, workers)
  const starting = startQueue(url, { ...webhooks.tasks, ...longJobs.tasks }, log, connections)
  const listen = async () => {
    await session.listen(deletedWebhooksChannel, workers.cut)
    await longJobs.start(session)
    await requests?.start(session)
  }
  const stop = async (limitMs?: number) => {
    const ended = starting.then(
      (queue) => queue.stop(limitMs),
      () => {},
    )
    await Promise.all([longJobs.stop(), ended, webhooks.stop()])
  }
  try {
    // What waited while nobody was here begins at once: after what was taken up and not done, as both write the same jobs.
    const waking = starting.then(() => wakeOverdue(db, currentTime(), []).catch(unlessAway))
    await Promise.all([waking, listen()])
  } catch (error) {
    await stop()
    throw error
  }
  return { stop }
}
