import type { DeliveryWorkers } from '../domain/delivery/webhooks/delivery-workers.ts'
import { movePlaces, wakeOverdue } from '../domain/delivery/webhooks/log-queries.ts'
import { sweepWebhooks } from '../domain/delivery/webhooks/sweep-webhooks.ts'
import { watchEvents } from '../domain/delivery/webhooks/watch-events.ts'
import type { Database } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import { startQueue } from '../platform/queue.ts'
import { createDispatcher } from './dispatch-events.ts'
import type { Job } from './jobs.ts'

export interface WebhookDeps {
  db: Database
  url: string
  workers: DeliveryWorkers
  log: Log
}

// A second less than the server waits for calls that are under way.
const stopLimitMs = 5_000

/** Runs what new messages ask for: waking endpoints, and delivering. */
export async function startWebhooks({ db, url, workers, log }: WebhookDeps) {
  const stopping = new AbortController()
  const dispatch = createDispatcher((installerId) => watchEvents(db, installerId, workers, stopping.signal))
  const queue = await startQueue(
    url,
    {
      'dispatch-events': (payload) => dispatch((payload as { installerId: string }).installerId),
      deliver: (payload) => {
        const { installerId, webhookId } = payload as { installerId: string; webhookId: string }
        return workers.deliver(installerId, webhookId)
      },
    },
    log,
  )
  // What waited while nobody was here begins at once.
  await wakeOverdue(db, new Date(), [])
  return {
    async stop() {
      stopping.abort()
      await Promise.all([queue.stop(), workers.stop(stopLimitMs)])
    },
  }
}

/** What is done now and again: waking what was left behind, and removing what is old. */
export function webhookUpkeep(db: Database, workers: DeliveryWorkers): Job[] {
  return [
    {
      name: 'wake webhooks',
      everyMs: 60_000,
      run: async () => {
        await wakeOverdue(db, new Date(Date.now() - 60_000), workers.awake())
        await movePlaces(db)
      },
    },
    {
      name: 'sweep webhooks',
      everyMs: 3_600_000,
      run: (signal) => sweepWebhooks(db, new Date(), signal),
    },
  ]
}
