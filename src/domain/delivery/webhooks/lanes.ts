import type { Database } from '../../../platform/db.ts'
import { queueLater } from './delivery-queries.ts'
import type { Deliverers } from './hand-out.ts'
import { createLane, type Lane, type Places } from './lane.ts'
import type { Sending } from './send.ts'

export interface LanesOptions {
  db: Database
  sending: Sending
  /** The waits between attempts. */
  waitsSeconds: readonly number[]
  /** How many endpoints that fail have a lane at once; 128 unless a test has fewer. */
  maxFailing?: number
}

export interface Lanes extends Deliverers {
  /** Delivers what is due to an endpoint; settles once nothing is for the time being. */
  deliver(installerId: string, webhookId: string): Promise<void>
  awake(): string[]
  /** Breaks off what is under way to an endpoint. */
  cut(webhookId: string): void
  /** Ends what is under way, within `limitMs`; what is broken off is sent again after the next start. */
  stop(limitMs: number): Promise<void>
}

// Each endpoint can always send one; more at once share these, so that the whole is bounded.
const sharedPlaces = 512
// Endpoints that fail, and may take the whole time limit to do so, never take the places of those that work.
const usualMaxFailing = 128
const failingWaitMs = 5_000

/** One lane for each endpoint that has something to be delivered: a dead one holds up nobody but itself. */
export function createLanes(options: LanesOptions): Lanes {
  const { db, maxFailing = usualMaxFailing } = options
  const lanes = new Map<string, Lane>()
  const stopping = new AbortController()
  const places: Places = { free: sharedPlaces }
  let failing = 0

  async function run(installerId: string, webhookId: string): Promise<void> {
    const lane = createLane(installerId, webhookId, {
      ...options,
      places,
      stopping: stopping.signal,
      mayFail: () => failing <= maxFailing,
      onFailing: (by) => {
        failing += by
      },
    })
    lanes.set(webhookId, lane)
    const waits = await lane.run().finally(() => {
      if (lanes.get(webhookId) === lane) lanes.delete(webhookId)
    })
    if (waits) await queueLater(db, { installerId, webhookId, at: new Date(Date.now() + failingWaitMs) })
  }

  async function deliver(installerId: string, webhookId: string): Promise<void> {
    const lane = lanes.get(webhookId)
    if (!lane || lane.isOver()) return run(installerId, webhookId)
    const heard = lane.nudge()
    await lane.ended
    // One that was ending, because the endpoint was disabled, has not seen that it is enabled again. And of one that
    // failed the job is not done again by the queue, once this later one has taken its key.
    const done = heard && !lane.hasFailed()
    if (!done && !stopping.signal.aborted) return deliver(installerId, webhookId)
  }

  return {
    deliver,
    hold: (webhookId) => lanes.get(webhookId)?.hold() ?? null,
    awake: () => [...lanes.keys()],
    cut: (webhookId) => lanes.get(webhookId)?.cut(),
    async stop(limitMs) {
      stopping.abort()
      const all = [...lanes.values()]
      const timer = setTimeout(() => {
        for (const lane of all) lane.cut()
      }, limitMs)
      await Promise.allSettled(all.map((lane) => lane.ended))
      clearTimeout(timer)
    },
  }
}
