import { currentMs, currentTime } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/db.ts'
import { findBody, type Outgoing, queueRetry, type Result, settleDeliveries } from './delivery-queries.ts'
import { disableWebhook } from './disable-webhook.ts'
import { createIntake } from './intake.ts'
import { sealedForWebhook } from './sealed-secrets.ts'
import { type Sending, send, type Target, targetOf } from './send.ts'
import { isDelivered, isGivenUp, isGone, nextAttempt, quietMs } from './webhook.ts'

/** What workers share beyond the one slot that each has. */
export interface Slots {
  free: number
}

export interface DeliveryWorkerOptions {
  db: Database
  sending: Sending
  waitsSeconds: readonly number[]
  slots: Slots
  stopping: AbortSignal
  /** Whether this endpoint, which fails and is counted, may have a worker just now. */
  mayFail(): boolean
  /** How an attempt ended. */
  onSent?: ((result: 'delivered' | 'retried' | 'failed', seconds: number) => void) | undefined
  onFailing(by: 1 | -1): void
}

export interface DeliveryWorker {
  ended: Promise<void>
  /** Delivers until nothing is due; answers whether the endpoint must wait for its turn. */
  run(): Promise<boolean>
  isOver(): boolean
  /** Whether it ended by an error, and may have left what it was told of. */
  hasFailed(): boolean
  /** Something is new, or due again; answers false where it takes nothing up any more. */
  nudge(): boolean
  /** Keeps it from ending until what is answered is called, which says that something is new; null where it ends already. */
  hold(): (() => void) | null
  /** Breaks off what is under way. */
  cut(): void
}

export const atOnce = 8
const lowWater = 2 * atOnce
// Results are written down together: by hundreds, or after this time, or when something failed. A crash in between
// sends them again.
const settleBatch = 100
const settleWithinMs = 100
// An endpoint that was just told something is likely to be told more: staying saves a job each time.
const lingerMs = 200
const shortWaitMs = 2_000
/** For how long a message is sent as it was read. */
const freshMs = 1_000

/**
 * Delivers to one endpoint, some at a time, and what it is told of one record in order. What waited while it was disabled
 * comes one by one. What is not settled is sent again after a crash.
 */
export function createDeliveryWorker(
  installerId: string,
  webhookId: string,
  options: DeliveryWorkerOptions,
): DeliveryWorker {
  const { db, sending, waitsSeconds, slots, stopping } = options
  const cutting = new AbortController()
  const ended = Promise.withResolvers<void>()
  const to = { installerId, webhookId }
  const intake = createIntake(db, installerId, webhookId)
  let target: Target | null = null
  let ready: Outgoing[] = []
  /** The records of what is under way. */
  const underWay = new Set<string>()
  let waitedUntilMs = Number.NEGATIVE_INFINITY
  let results: Result[] = []
  let settleAt = 0
  let active = 0
  let failing = false
  let holds = 0
  let closed = false
  let over = false
  let failed = false
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
    const found = await intake.take()
    if (!found) {
      closed = true
      return
    }
    target = targetOf(sending, found.endpoint, sealedForWebhook(installerId, webhookId))
    setFailing(found.endpoint.isFailing)
    const { waitedUntil } = found.endpoint
    if (waitedUntil !== null) waitedUntilMs = Date.parse(waitedUntil)
    const takenAtMs = performance.now()
    ready.push(...found.messages.map((message) => Object.assign(message, { takenAtMs })))
  }

  const waited = (message: Outgoing) => message.at.getTime() <= waitedUntilMs

  /** The first that may be sent beside what is under way, or nothing. */
  function takeReady(): Outgoing | null {
    const [first] = ready
    if (!first || (active > 0 && waited(first))) return null
    const i = ready.findIndex(
      (message) =>
        (message.subjectId === null || !underWay.has(message.subjectId)) &&
        (active === 0 || !waited(message)),
    )
    return i < 0 ? null : ready.splice(i, 1)[0]!
  }

  function begin(): void {
    while (isOpen() && ready.length > 0) {
      const alone = active === 0
      if (!alone && (failing || active >= atOnce || slots.free === 0)) return
      const message = takeReady()
      if (!message) return
      const { subjectId } = message
      active++
      if (!alone) slots.free--
      if (subjectId !== null) underWay.add(subjectId)
      void post(message).finally(() => {
        active--
        if (!alone) slots.free++
        if (subjectId !== null) underWay.delete(subjectId)
        begin()
        // Waking for each would cost more than the rest of it.
        const { length } = results
        const low = ready.length < lowWater && intake.mayHaveMore()
        if (active === 0 || length === 1 || low || length >= settleBatch || settleAt === 0) wakeUp?.()
      })
    }
  }

  async function post(message: Outgoing): Promise<void> {
    // Behind a slow endpoint it may wait for minutes, in which its record may be erased.
    if (performance.now() - (message.takenAtMs ?? 0) > freshMs) {
      const body = await findBody(db, installerId, message).catch(() => null)
      if (body === null) return
      message.body = body
    }
    const attempt = await send(sending, target!, message, cutting.signal).catch(() => null)
    if (!attempt) return
    const now = currentTime()
    const delivered = isDelivered(attempt)
    const next = delivered ? null : nextAttempt(waitsSeconds, message.tries, now)
    const state = delivered ? 'delivered' : next ? 'due' : 'failed'
    options.onSent?.(state === 'due' ? 'retried' : state, attempt.duration_ms / 1000)
    if (results.length === 0) settleAt = performance.now() + settleWithinMs
    if (!delivered) settleAt = 0
    if (isGone(attempt)) closed = true
    results.push({ message, state, nextAttemptAt: next ?? now, attempt })
  }

  async function settle(): Promise<void> {
    const done = results
    results = []
    const now = currentTime()
    const quietSince = new Date(now.getTime() - quietMs)
    const place = intake.placeAfter(done)
    const failingSince = await settleDeliveries(db, to, done, {
      ...{ place, now, quietSince },
      signal: cutting.signal,
    })
    intake.settled(done)
    setFailing(failingSince !== null)
    const gone = done.some(({ attempt }) => isGone(attempt))
    if (!gone && !isGivenUp(failingSince, now)) return
    closed = true
    await disableWebhook(db, installerId, webhookId, gone ? 'gone' : 'failing', now)
  }

  /** How long results may wait to be written down; undefined where there are none. */
  function settlesInMs(): number | undefined {
    if (results.length === 0) return undefined
    if (results.length >= settleBatch || (active === 0 && !isOpen())) return 0
    return Math.max(0, settleAt - performance.now())
  }

  /** Nothing is under way: stays a little, and then sees to it that somebody comes for what is due later. */
  async function rest(): Promise<void> {
    const isNeeded = () => isOpen() && (holds > 0 || intake.mayHaveMore())
    const dueInMs = Math.max(0, intake.dueAtMs() - currentMs())
    if (isOpen()) await change(dueInMs > shortWaitMs ? lingerMs : dueInMs)
    if (isNeeded()) return
    const nextAt = closed ? null : await queueRetry(db, to)
    if (isNeeded()) return
    const waitMs = nextAt ? nextAt.getTime() - currentMs() : Number.POSITIVE_INFINITY
    if (!isOpen() || waitMs > shortWaitMs) {
      over = true
      return
    }
    intake.expectDue(nextAt!.getTime())
  }

  async function work(): Promise<boolean> {
    stopping.addEventListener('abort', wake)
    const hasRoom = () => isOpen() && ready.length < lowWater && intake.mayHaveMore()
    for (let first = true; !over; first = false) {
      if (hasRoom()) await takeUp()
      if (first && failing && !options.mayFail()) return true
      begin()
      const settleInMs = settlesInMs()
      if (settleInMs === 0) await settle()
      // Told of more while it was taking up: whoever waits now would not be woken for that.
      else if (hasRoom()) continue
      else if (active > 0 || settleInMs !== undefined) await change(settleInMs)
      else if (isOpen() && ready.length > 0) continue
      else await (holds > 0 && isOpen() ? change() : rest())
    }
    return false
  }

  const wake = () => wakeUp?.()

  return {
    ended: ended.promise,
    async run() {
      try {
        return await work()
      } catch (error) {
        failed = true
        throw error
      } finally {
        over = true
        ready = []
        cutting.abort()
        setFailing(false)
        stopping.removeEventListener('abort', wake)
        ended.resolve()
      }
    },
    nudge() {
      intake.expectNew()
      intake.expectDue(0)
      wake()
      return isOpen()
    },
    isOver: () => over,
    hasFailed: () => failed,
    hold() {
      if (over || !isOpen()) return null
      holds++
      return () => {
        holds--
        intake.expectNew()
        wake()
      }
    },
    cut() {
      cutting.abort(new Error('cut'))
      wake()
    },
  }
}
