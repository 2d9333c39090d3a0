import type { Database } from '../../platform/db.ts'
import { type DueDelivery, listDue, queueRetry, type Result, settleDeliveries } from './delivery-queries.ts'
import { disableWebhook } from './disable-webhook.ts'
import type { Secret } from './secret.ts'
import { type Sending, send } from './send.ts'
import { isDelivered, isGivenUp, isGone, nextAttempt, quietMs } from './webhook.ts'

/** What lanes share beyond the one place that each has. */
export interface Places {
  free: number
}

export interface LaneOptions {
  db: Database
  sending: Sending
  waitsSeconds: readonly number[]
  places: Places
  stopping: AbortSignal
  /** Whether one more endpoint that fails may have a lane just now. */
  mayFail(): boolean
  onFailing(by: 1 | -1): void
}

export interface Lane {
  ended: Promise<void>
  /** Delivers until nothing is due; answers whether the endpoint must wait for its turn. */
  run(): Promise<boolean>
  isOver(): boolean
  nudge(): void
  /** Keeps it from ending until what is answered is called; null where it ends already. */
  hold(): (() => void) | null
  /** Breaks off what is under way. */
  cut(): void
}

const atOnce = 8
const batch = 100
const lowWater = 2 * atOnce
// Results are written down together: by tens, or after this time. A crash in between sends them again.
const settleBatch = 100
const settleWithinMs = 50
// An endpoint that was just told something is likely to be told more: staying saves a job each time.
const lingerMs = 200
const shortWaitMs = 2_000

/** Delivers to one endpoint, in order, some at a time. What is not settled is sent again after a crash. */
export function createLane(installerId: string, webhookId: string, options: LaneOptions): Lane {
  const { db, sending, waitsSeconds, places, stopping } = options
  const cutting = new AbortController()
  const ended = Promise.withResolvers<void>()
  let endpoint: { url: string; secrets: Secret[] } = { url: '', secrets: [] }
  let ready: DueDelivery[] = []
  let results: Result[] = []
  let firstResultAt = 0
  /** Taken up and not settled yet. */
  const underWay = new Set<string>()
  let active = 0
  let failing = false
  /** Whether more may be due than is known here. */
  let look = true
  let holds = 0
  let closed = false
  let over = false
  let wakeUp: (() => void) | null = null

  const isOpen = () => !closed && !stopping.aborted && !cutting.signal.aborted

  function setFailing(now: boolean): void {
    if (now !== failing) options.onFailing(now ? 1 : -1)
    failing = now
  }

  /** Waits until something happens here, or for so long. */
  async function change(withinMs?: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    wakeUp = resolve
    const timer = withinMs === undefined ? undefined : setTimeout(resolve, withinMs)
    await promise
    clearTimeout(timer)
    wakeUp = null
  }

  async function takeUp(): Promise<void> {
    look = false
    const found = await listDue(db, installerId, webhookId, new Date(), [...underWay], batch)
    if (!found) {
      closed = true
      return
    }
    endpoint = found
    setFailing(found.failingSince !== null)
    ready.push(...found.due)
    for (const { id } of found.due) underWay.add(id)
    if (found.due.length === batch) look = true
  }

  function begin(): void {
    while (isOpen() && ready.length > 0) {
      const alone = active === 0
      if (!alone && (failing || active >= atOnce || places.free === 0)) return
      active++
      if (!alone) places.free--
      void post(ready.shift()!).finally(() => {
        active--
        if (!alone) places.free++
        begin()
        // Waking for each would cost more than the rest of it.
        const { length } = results
        if (active === 0 || length === 1 || length >= settleBatch || (look && ready.length < lowWater))
          wakeUp?.()
      })
    }
  }

  async function post({ id, type, tries, body }: DueDelivery): Promise<void> {
    const attempt = await send(sending, endpoint, { id, body }, cutting.signal).catch(() => null)
    if (!attempt) return
    const now = new Date()
    const next = isDelivered(attempt) ? null : nextAttempt(waitsSeconds, tries, now)
    const state = isDelivered(attempt) ? 'delivered' : next ? 'due' : 'failed'
    if (results.length === 0) firstResultAt = performance.now()
    results.push({ id, type, state, nextAttemptAt: next ?? now, attempt })
  }

  async function settle(): Promise<void> {
    const done = results
    results = []
    const now = new Date()
    const quietSince = new Date(now.getTime() - quietMs)
    const failingSince = await settleDeliveries(db, installerId, webhookId, done, now, quietSince)
    for (const { id } of done) underWay.delete(id)
    setFailing(failingSince !== null)
    const gone = done.some(({ attempt }) => isGone(attempt))
    if (!gone && !isGivenUp(failingSince, now)) return
    await disableWebhook(db, installerId, webhookId, gone ? 'gone' : 'failing', now)
    closed = true
  }

  function settlesIn(): number {
    if (results.length >= settleBatch || active === 0) return 0
    return firstResultAt + settleWithinMs - performance.now()
  }

  /** Nothing is under way: stays a little, and then sees to it that somebody comes for what is due later. */
  async function rest(): Promise<void> {
    if (isOpen()) await change(lingerMs)
    if ((look || holds > 0) && isOpen()) return
    const nextAt = closed ? null : await queueRetry(db, installerId, webhookId, new Date(0))
    if ((look || holds > 0) && isOpen()) return
    const waitMs = nextAt ? nextAt.getTime() - Date.now() : Number.POSITIVE_INFINITY
    if (!isOpen() || waitMs > shortWaitMs) {
      over = true
      return
    }
    if (waitMs > 0) await change(waitMs)
    look = true
  }

  async function work(): Promise<boolean> {
    stopping.addEventListener('abort', nudge)
    for (let first = true; !over; first = false) {
      if (look && ready.length < lowWater && isOpen()) await takeUp()
      if (first && failing && !options.mayFail()) return true
      begin()
      const settleInMs = results.length === 0 ? undefined : settlesIn()
      if (settleInMs !== undefined && settleInMs <= 0) await settle()
      else if (active > 0) await change(settleInMs)
      else if ((!look && ready.length === 0) || !isOpen()) await (holds > 0 && isOpen() ? change() : rest())
    }
    return false
  }

  function nudge(): void {
    look = true
    wakeUp?.()
  }

  return {
    ended: ended.promise,
    async run() {
      try {
        return await work()
      } finally {
        over = true
        ready = []
        cutting.abort()
        setFailing(false)
        stopping.removeEventListener('abort', nudge)
        ended.resolve()
      }
    },
    nudge,
    isOver: () => over,
    hold() {
      if (over || !isOpen()) return null
      holds++
      return () => {
        holds--
        nudge()
      }
    },
    cut() {
      cutting.abort(new Error('cut'))
      nudge()
    },
  }
}
