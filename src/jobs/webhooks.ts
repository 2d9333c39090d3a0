import type { DeliveryWorkers } from '../domain/delivery/webhooks/delivery-workers.ts'
import { movePlaces, wakeOverdue } from '../domain/delivery/webhooks/log-queries.ts'
import { sweepWebhooks } from '../domain/delivery/webhooks/sweep-webhooks.ts'
import { watchEvents } from '../domain/delivery/webhooks/watch-events.ts'
import { currentMs, currentTime } from '../platform/clock.ts'
import type { Database } from '../platform/db.ts'
import type { Task } from '../platform/queue.ts'
import { createDispatcher } from './dispatch-events.ts'
import type { Job } from './jobs.ts'

// A second less than the server waits for calls that are under way.
const stopLimitMs = 5_000

/** What new messages ask for: waking endpoints, and delivering. */
export function webhookTasks(
  db: Database,
  workers: DeliveryWorkers,
): { tasks: Record<string, Task>; stop(): Promise<void> } {
  const stopping = new AbortController()
  const dispatch = createDispatcher((installerId) => watchEvents(db, installerId, workers, stopping.signal))
  return {
    tasks: {
      'dispatch-events': (payload) => dispatch((payload as { installerId: string }).installerId),
      deliver: (payload) => {
        const { installerId, webhookId } = payload as { installerId: string; webhookId: string }
        return workers.deliver(installerId, webhookId)
      },
    },
    async stop() {
      stopping.abort()
      await workers.stop(stopLimitMs)
    },
  }
}

/** What is done now and again: waking what was left behind, and removing what is old. */
export function webhookUpkeep(db: Database, workers: DeliveryWorkers): Job[] {
  let sweeps = 0
  return [
    {
      name: 'wake webhooks',
      everyMs: 60_000,
      run: async () => {
        await wakeOverdue(db, new Date(currentMs() - 60_000), workers.awake())
        await movePlaces(db)
      },
    },
    {
      name: 'sweep webhooks',
      everyMs: 3_600_000,
      // Not all that the version before writes beside the first ones shows in what is kept of an endpoint.
      run: async (signal) => {
        await sweepWebhooks(db, currentTime(), signal, { compareAll: sweeps < 2 || sweeps % 24 === 0 })
        sweeps++
      },
    },
  ]
}
