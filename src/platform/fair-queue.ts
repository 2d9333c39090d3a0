/** Nobody is let in for now; the same may pass after so many seconds. */
export class QueueBusy extends Error {
  override name = 'QueueBusy'
  readonly retryAfterSeconds: number

  constructor(retryAfterSeconds: number) {
    super('too much is under way or waiting already')
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The line was stopped before the work began, or while it was under way. */
export class QueueStopped extends Error {
  override name = 'QueueStopped'
}

/** Whose work it is: an owner has a share of its own, within that of its group. */
export interface Share {
  group: string
  owner: string
}

export interface FairQueueOptions {
  /** How much may be under way at once, in all, of one group and of one owner. */
  atOnce: { all: number; group: number; owner: number }
  /** How many may wait, in all, of one group and of one owner. */
  waiting: { all: number; group: number; owner: number }
  maxWaitMs: number
  /** What no work takes longer than: nobody is told to wait for longer. */
  maxWorkMs: number
  now?: () => number
}

type Work<T> = (signal: AbortSignal) => Promise<T>

export interface FairQueue {
  /** Runs the work when its turn comes. Rejects with QueueBusy, QueueStopped, or the reason for which it was given up. */
  run<T>(share: Share, work: Work<T>, givenUp: AbortSignal): Promise<T>
  /** Runs it only if that can be at once. */
  runIfFree<T>(share: Share, work: Work<T>, givenUp: AbortSignal): Promise<T> | null
  /** Lets what is under way go on for a while; who waits is sent away at once. Resolves when nothing is left. */
  stop(graceMs: number): Promise<void>
}

interface Place extends Share {
  since: number
}

interface Waiting {
  share: Share
  begin(place: Place): void
  sendAway(error: Error): void
}

/**
 * A line in which nobody's slow work keeps others waiting: a place that gets free goes to whose group, then whose owner
 * has least under way, and among these to who came first.
 */
export function createFairQueue({
  atOnce,
  waiting: maxWaiting,
  maxWaitMs,
  maxWorkMs,
  now = () => performance.now(),
}: FairQueueOptions): FairQueue {
  const underWay = new Set<Place>()
  const waiting = new Set<Waiting>()
  const stopping = new AbortController()
  let stopped: Promise<void> | null = null
  let allDone = () => {}

  const of = ({ group, owner }: Share) => {
    let [inGroup, ofOwner] = [0, 0]
    for (const one of underWay) {
      if (one.group !== group) continue
      inGroup++
      if (one.owner === owner) ofOwner++
    }
    return { inGroup, ofOwner }
  }

  function isFree(share: Share): boolean {
    if (underWay.size >= atOnce.all) return false
    const { inGroup, ofOwner } = of(share)
    return inGroup < atOnce.group && ofOwner < atOnce.owner
  }

  /** Whether as many wait already as may. */
  function isFull({ group, owner }: Share): boolean {
    let [inGroup, ofOwner] = [0, 0]
    for (const { share } of waiting) {
      if (share.group !== group) continue
      inGroup++
      if (share.owner === owner) ofOwner++
    }
    return ofOwner >= maxWaiting.owner || inGroup >= maxWaiting.group || waiting.size >= maxWaiting.all
  }

  function take(share: Share): Place {
    const place = { ...share, since: now() }
    underWay.add(place)
    return place
  }

  async function perform<T>(place: Place, work: Work<T>, givenUp: AbortSignal): Promise<T> {
    try {
      return await work(AbortSignal.any([givenUp, stopping.signal]))
    } finally {
      underWay.delete(place)
      startNext()
      if (underWay.size === 0) allDone()
    }
  }

  function startNext(): void {
    let next: Waiting | null = null
    let least = { inGroup: atOnce.group, ofOwner: atOnce.owner }
    for (const one of waiting) {
      if (!isFree(one.share)) continue
      const has = of(one.share)
      const fewer = has.inGroup - least.inGroup || has.ofOwner - least.ofOwner
      if (next !== null && fewer >= 0) continue
      next = one
      least = has
    }
    if (next === null) return
    waiting.delete(next)
    // Taken for it here, so that nobody who comes in this moment can slip in.
    next.begin(take(next.share))
  }

  function turn(share: Share, givenUp: AbortSignal): Promise<Place> {
    const { promise, resolve, reject } = Promise.withResolvers<Place>()
    const leave = () => one.sendAway(givenUp.reason)
    const timer = setTimeout(() => one.sendAway(new QueueBusy(retryAfter(share))), maxWaitMs)
    const one: Waiting = {
      share,
      begin: resolve,
      sendAway(error) {
        waiting.delete(one)
        reject(error)
      },
    }
    waiting.add(one)
    givenUp.addEventListener('abort', leave, { once: true })
    return promise.finally(() => {
      clearTimeout(timer)
      givenUp.removeEventListener('abort', leave)
    })
  }

  /**
   * From what is under way and stands in the way: what has taken so long takes about as long again, and whoever waits
   * already comes first.
   */
  function retryAfter(share: Share): number {
    const { inGroup, ofOwner } = of(share)
    const [inTheWay, places]: [(one: Share) => boolean, number] =
      ofOwner >= atOnce.owner
        ? [({ owner }) => owner === share.owner, atOnce.owner]
        : inGroup >= atOnce.group
          ? [({ group }) => group === share.group, atOnce.group]
          : [() => true, atOnce.all]
    const times = [...underWay].filter(inTheWay).map(({ since }) => now() - since)
    const mean = times.reduce((sum, ms) => sum + ms, 0) / Math.max(1, times.length)
    const ahead = [...waiting].filter(({ share: one }) => inTheWay(one)).length
    const ms = Math.min(mean, maxWorkMs - mean) * Math.ceil((ahead + 1) / places)
    return Math.ceil(Math.min(Math.max(ms, 1_000), maxWorkMs) / 1_000)
  }

  return {
    async run(share, work, givenUp) {
      givenUp.throwIfAborted()
      if (stopped) throw new QueueStopped('nothing is begun any more')
      if (isFree(share)) return perform(take(share), work, givenUp)
      if (isFull(share)) throw new QueueBusy(retryAfter(share))
      return perform(await turn(share, givenUp), work, givenUp)
    },

    runIfFree: (share, work, givenUp) =>
      stopped || givenUp.aborted || !isFree(share) ? null : perform(take(share), work, givenUp),

    stop(graceMs) {
      stopped ??= (async () => {
        for (const one of [...waiting]) one.sendAway(new QueueStopped('nothing is begun any more'))
        if (underWay.size === 0) return
        const timer = setTimeout(() => stopping.abort(new QueueStopped('it took too long to end')), graceMs)
        await new Promise<void>((resolve) => {
          allDone = resolve
        })
        clearTimeout(timer)
      })()
      return stopped
    },
  }
}
