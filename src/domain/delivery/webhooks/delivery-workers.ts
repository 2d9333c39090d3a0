import { currentMs } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/db.ts'
import { queueLater } from './delivery-queries.ts'
import {
  createDeliveryWorker,
  type DeliveryWorker,
  type DeliveryWorkerOptions,
  type Slots,
} from './delivery-worker.ts'
import type { Deliverers } from './dispatch-messages.ts'
import type { Sending } from './send.ts'

export interface DeliveryWorkersOptions extends Pick<DeliveryWorkerOptions, 'onSent'> {
  db: Database
  sending: Sending
  /** The waits between attempts. */
  waitsSeconds: readonly number[]
  /** How many endpoints that fail have a worker at once; 128 unless a test has fewer. */
  maxFailing?: number
}

export interface DeliveryWorkers extends Deliverers {
  /** Delivers what is due to an endpoint; settles once nothing is for the time being. */
  deliver(installerId: string, webhookId: string): Promise<void>
  awake(): string[]
  /** Breaks off what is under way to an endpoint. */
  cut(webhookId: string): void
  /** Ends what is under way, within `limitMs`; what is broken off is sent again after the next start. */
  stop(limitMs: number): Promise<void>
}

// Each endpoint can always send one; more at once share these, so that the whole is bounded.
const sharedSlots = 512
// Endpoints that fail, and may take the whole time limit to do so, never take the slots of those that work.
const usualMaxFailing = 128
const failingWaitMs = 5_000

/** One worker for each endpoint that has something to be delivered: a dead one holds up nobody but itself. */
export function createDeliveryWorkers(options: DeliveryWorkersOptions): DeliveryWorkers {
  const { db, maxFailing = usualMaxFailing } = options
  const workers = new Map<string, DeliveryWorker>()
  const stopping = new AbortController()
  const slots: Slots = { free: sharedSlots }
  let failing = 0

  async function run(installerId: string, webhookId: string): Promise<void> {
    const worker = createDeliveryWorker(installerId, webhookId, {
      ...options,
      slots,
      stopping: stopping.signal,
      mayFail: () => failing <= maxFailing,
      onFailing: (by) => {
        failing += by
      },
    })
    workers.set(webhookId, worker)
    const waits = await worker.run().finally(() => {
      if (workers.get(webhookId) === worker) workers.delete(webhookId)
    })
    if (waits) await queueLater(db, { installerId, webhookId, at: new Date(currentMs() + failingWaitMs) })
  }

  async function deliver(installerId: string, webhookId: string): Promise<void> {
    const worker = workers.get(webhookId)
    if (!worker || worker.isOver()) return run(installerId, webhookId)
    const heard = worker.nudge()
    await worker.ended
    // One that was ending, because the endpoint was disabled, has not seen that it is enabled again. And of one that
    // failed the job is not done again by the queue, once this later one has taken its key.
    const done = heard && !worker.hasFailed()
    if (!done && !stopping.signal.aborted) return deliver(installerId, webhookId)
  }

  return {
    deliver,
    hold: (webhookId) => workers.get(webhookId)?.hold() ?? null,
    awake: () => [...workers.keys()],
    cut: (webhookId) => workers.get(webhookId)?.cut(),
    async stop(limitMs) {
      stopping.abort()
      const all = [...workers.values()]
      const timer = setTimeout(() => {
        for (const worker of all) worker.cut()
      }, limitMs)
      await Promise.allSettled(all.map((worker) => worker.ended))
      clearTimeout(timer)
    },
  }
}
