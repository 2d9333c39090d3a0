import type { PooledDatabase } from '../db.ts'
import { type Examined, examineServer, unfitness } from './examine.ts'
import { createLag } from './lag.ts'

export interface TroubleObserver {
  /** Told why the replica is not read from, and with null that it is. */
  changed(trouble: string | null): void
  lag(seconds: number): void
}

export interface WatchLimits {
  everyMs: number
  /** In which a replica says how it is. */
  answerMs: number
  /** How long one that failed a list is left alone at first; twice as long each time it does so again. */
  holdMs: number
  mostHoldMs: number
}

const usualLimits: WatchLimits = { everyMs: 500, answerMs: 300, holdMs: 1_000, mostHoldMs: 60_000 }
/** Of one that was away. */
const goodLooksNeeded = 2

export interface Watch {
  /** Settles after the first look. */
  start(): Promise<void>
  stop(): void
  /** Whether lists may be read from it and, where it is known, whether the primary is still the one it was held against. */
  isFit(timeline?: string | null): boolean
  /** A list found this wrong with it. */
  found(trouble: string): void
  /** A list was read from it. */
  wentWell(): void
  /** Calls once it must not be waited for any more; answers how to take that back. */
  onTrouble(call: () => void): () => void
}

interface Options {
  primary: PooledDatabase
  replica: PooledDatabase
  observer: TroubleObserver
  limits?: Partial<WatchLimits>
}

/** Looks at the replica twice a second, on a connection of its own: whoever lists must not be the one to find out. */
export function watchReplica({ primary, replica, observer, limits: given }: Options): Watch {
  const limits = { ...usualLimits, ...given }
  const waiting = new Set<() => void>()
  const lag = createLag()
  let trouble: string | null = 'it has not been looked at yet'
  let isTold = false
  let goodLooks = goodLooksNeeded - 1
  let holdMs = limits.holdMs
  let heldUntil = 0
  let timeline: string | null = null
  let place: number | null = null
  let next: NodeJS.Timeout | undefined
  let stopped = false

  function change(reason: string | null): void {
    const isNews = !isTold || (trouble === null) !== (reason === null)
    trouble = reason
    if (reason !== null) {
      goodLooks = 0
      for (const call of [...waiting]) call()
    }
    if (!isNews || stopped) return
    isTold = true
    observer.changed(reason)
  }

  async function look(): Promise<void> {
    const there = await inTime(limits.answerMs, examineServer(replica)).catch((error: Error) => error)
    if (there instanceof Error) change(there.message)
    // The primary after it, so that it is never behind a copy of its own.
    const here = await examineServer(primary).catch(() => null)
    if (here === null || here.isStandby || here.place === null || stopped) return
    if (!(there instanceof Error)) judge(there, here, here.place)
    else if (place !== null) {
      lag.primaryAt(here.place, performance.now())
      observer.lag(lag.secondsAt(place, performance.now()))
    }
  }

  function judge(there: Examined, here: Examined, herePlace: number): void {
    const now = performance.now()
    // How long one was behind that is met for the first time it says itself.
    const isBehind = place === null && there.place !== null && there.place < herePlace
    lag.primaryAt(herePlace, isBehind ? now - Math.max(0, there.replayedSeconds ?? 0) * 1000 : now)
    place = there.place
    const behindSeconds = place === null ? 0 : lag.secondsAt(place, now)
    observer.lag(behindSeconds)
    const reason = unfitness(there, here, behindSeconds)
    if (reason !== null) {
      change(reason)
      return
    }
    timeline = here.timeline
    goodLooks++
    if (goodLooks >= goodLooksNeeded && performance.now() >= heldUntil) change(null)
  }

  async function go(): Promise<void> {
    await look()
    if (!stopped) next = setTimeout(() => void go(), limits.everyMs).unref()
  }

  return {
    start: go,
    stop() {
      stopped = true
      clearTimeout(next)
    },
    isFit(seen) {
      if (trouble === null && seen !== undefined && seen !== timeline)
        change('the primary is another one now')
      return trouble === null
    },
    found(reason) {
      heldUntil = performance.now() + holdMs
      holdMs = Math.min(limits.mostHoldMs, holdMs * 2)
      change(reason)
    },
    wentWell() {
      holdMs = limits.holdMs
    },
    onTrouble(call) {
      waiting.add(call)
      return () => waiting.delete(call)
    },
  }
}

function inTime<T>(limitMs: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let settled = false
    const late = () => settled || reject(new Error(`it did not answer within ${limitMs} ms`))
    // Where it is we who come late, the answer may lie there unread: it is read first.
    const timer = setTimeout(() => setImmediate(late), limitMs)
    work.then(resolve, reject).finally(() => {
      settled = true
      clearTimeout(timer)
    })
  })
}
