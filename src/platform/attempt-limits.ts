/** How many tries may fail before there are waits, and how these grow. */
export interface AttemptRule {
  free: number
  firstWaitMs: number
  maxWaitMs: number
  /** In this time one failure is forgotten. */
  forgetMs: number
}

/** Something that tries are counted for. */
export interface Counted {
  key: string
  rule: AttemptRule
  /** Whether a right try shows that the wrong ones before were honest mistakes. */
  clearedByRight?: boolean
}

/** What comes of it is said once; nothing said, it was wrong. Nobody waits for it to be counted. */
export interface Attempt {
  right(): void
  /** It could not be told, so it is as if it had not been made. */
  void(): void
}

export type Begun = { attempt: Attempt } | { waitMs: number }

/** Behind this interface, so that several processes can share what is counted. */
export interface AttemptLimits {
  /**
   * Counts a try as wrong until it turns out otherwise, so that many at once get no further than many in a row. One
   * that comes too early is told how long to wait, and is not counted. Answered at once where it is counted here.
   */
  begin(counted: readonly Counted[]): Begun | Promise<Begun>
  close(): void
}

/** What a try was counted as: plain data, that may come back from another process. */
export interface Taken {
  key: string
  until: number
  clearedByRight?: boolean | undefined
}

export type AttemptOutcome = 'right' | 'void'

/** The counts themselves, without anything that only lives in one process. */
export interface AttemptCounts {
  count(counted: readonly Counted[]): { taken: Taken[] } | { waitMs: number }
  settle(taken: readonly Taken[], outcome: AttemptOutcome): void
  close(): void
}

interface Count {
  failures: number
  /** When `failures` was right. */
  at: number
  until: number
  rule: AttemptRule
}

const capacity = 50_000
const tidyMs = 600_000

/**
 * Counts in memory. What waits is kept apart from what does not yet: to push out one that waits, as many others have to
 * be brought so far that they wait too.
 */
export function createAttemptCounts(now = () => performance.now(), max = capacity): AttemptCounts {
  const calm = new Map<string, Count>()
  const waiting = new Map<string, Count>()

  const tidy = setInterval(() => {
    for (const counts of [calm, waiting])
      for (const [key, count] of counts) if (failuresOf(count, now()) === 0) counts.delete(key)
  }, tidyMs)
  tidy.unref()

  function keep(key: string, count: Count): void {
    calm.delete(key)
    waiting.delete(key)
    const counts = count.failures > count.rule.free ? waiting : calm
    counts.set(key, count)
    if (counts.size > max) counts.delete(counts.keys().next().value!)
  }

  function giveBack(key: string, until: number): void {
    const count = waiting.get(key) ?? calm.get(key)
    if (!count) return
    keep(key, {
      ...count,
      failures: Math.max(0, count.failures - 1),
      until: count.until === until ? 0 : count.until,
    })
  }

  return {
    count(counted) {
      const at = now()
      const found = counted.map((one) => ({ ...one, count: waiting.get(one.key) ?? calm.get(one.key) }))
      const waitMs = Math.max(0, ...found.map(({ count }) => (count?.until ?? 0) - at))
      if (waitMs > 0) return { waitMs }
      const taken = found.map(({ key, rule, clearedByRight, count }) => {
        const failures = (count ? failuresOf(count, at) : 0) + 1
        const until = failures > rule.free ? at + waitOf(failures - rule.free, rule) : 0
        keep(key, { failures, at, until, rule })
        return { key, until, clearedByRight }
      })
      return { taken }
    },
    settle(taken, outcome) {
      for (const { key, until, clearedByRight } of taken) {
        if (outcome === 'void' || !clearedByRight) giveBack(key, until)
        else {
          calm.delete(key)
          waiting.delete(key)
        }
      }
    },
    close: () => clearInterval(tidy),
  }
}

/** For one process: answers at once. */
export function createAttemptLimits(now?: () => number, max?: number) {
  const counts = createAttemptCounts(now, max)
  return {
    begin(counted: readonly Counted[]): Begun {
      const answer = counts.count(counted)
      if ('waitMs' in answer) return answer
      return { attempt: attemptOf((outcome) => counts.settle(answer.taken, outcome)) }
    },
    close: counts.close,
  } satisfies AttemptLimits
}

/** Only what is said first counts. */
export function attemptOf(settle: (outcome: AttemptOutcome) => void): Attempt {
  let settled = false
  const once = (outcome: AttemptOutcome) => () => {
    if (!settled) settle(outcome)
    settled = true
  }
  return { right: once('right'), void: once('void') }
}

function failuresOf({ failures, at, rule }: Count, now: number): number {
  return Math.max(0, failures - (now - at) / rule.forgetMs)
}

function waitOf(over: number, { firstWaitMs, maxWaitMs }: AttemptRule): number {
  return Math.min(maxWaitMs, firstWaitMs * 2 ** (Math.ceil(over) - 1))
}
