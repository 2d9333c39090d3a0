import { attemptOf, type Begun, createAttemptCounts, type Taken } from '../platform/attempt-limits.ts'
import { createRateLimiter, LimitsUnavailable, type RateLimitState } from '../platform/rate-limit.ts'
import type { LimitAnswer, LimitAsk, TakeAnswer } from './messages.ts'

/** How long whoever is counted waits for the primary, which answers within a millisecond unless it hangs. */
const patienceMs = 2_000

/** The counts of all processes of a host, kept by the primary. */
export function createHostLimits(rateLimitPerMinute: number) {
  const limiter = createRateLimiter(rateLimitPerMinute)
  const counts = createAttemptCounts()

  function answer(ask: LimitAsk): LimitAnswer | null {
    if (typeof ask === 'string') {
      const { allowed, remaining, resetSeconds } = limiter.take(ask)
      return [allowed ? 1 : 0, remaining, resetSeconds]
    }
    if ('count' in ask) return counts.count(ask.count)
    counts.settle(ask.taken, ask.outcome)
    return null
  }

  return {
    /** In the order in which they were asked; what became of a try is not answered. */
    answerAll: (asks: readonly LimitAsk[]): LimitAnswer[] => asks.map(answer).filter((one) => one !== null),
    close() {
      limiter.close()
      counts.close()
    },
  }
}

interface Waiting {
  resolve(answer: LimitAnswer): void
  reject(error: Error): void
}

interface Batch {
  sentAt: number
  waiting: Waiting[]
}

/**
 * Limits that are counted by the primary, as a worker asks for them: what is asked in one turn of the event loop goes as
 * one message. Answers come in the order of the asking, so they carry no names.
 */
export function createSharedLimits(rateLimitPerMinute: number, send: (asks: LimitAsk[]) => void) {
  const sent: Batch[] = []
  let asks: LimitAsk[] = []
  let waiting: Waiting[] = []

  function flush(): void {
    if (waiting.length > 0) sent.push({ sentAt: performance.now(), waiting })
    const batch = asks
    asks = []
    waiting = []
    send(batch)
  }

  function push(ask: LimitAsk): void {
    if (asks.length === 0) setImmediate(flush)
    asks.push(ask)
  }

  const ask = <T extends LimitAnswer>(what: LimitAsk) =>
    new Promise<T>((resolve, reject) => {
      push(what)
      waiting.push({ resolve: resolve as Waiting['resolve'], reject })
    })

  const giveUp = setInterval(() => {
    for (const batch of sent) {
      if (performance.now() - batch.sentAt < patienceMs) break
      for (const { reject } of batch.waiting)
        reject(new LimitsUnavailable('whoever counts calls does not answer'))
      batch.waiting = []
    }
  }, patienceMs / 2)
  giveUp.unref()

  return {
    limits: {
      limiter:
        rateLimitPerMinute === 0
          ? null
          : {
              limit: rateLimitPerMinute,
              take: (key: string): Promise<RateLimitState> =>
                ask<TakeAnswer>(key).then(([allowed, remaining, resetSeconds]) => ({
                  allowed: allowed === 1,
                  limit: rateLimitPerMinute,
                  remaining,
                  resetSeconds,
                })),
              close: () => {},
            },
      attempts: {
        begin: async (
          count: Parameters<ReturnType<typeof createAttemptCounts>['count']>[0],
        ): Promise<Begun> => {
          const answer = await ask<{ taken: Taken[] } | { waitMs: number }>({ count })
          if ('waitMs' in answer) return answer
          return { attempt: attemptOf((outcome) => push({ taken: answer.taken, outcome })) }
        },
        close: () => clearInterval(giveUp),
      },
    },
    answered(answers: readonly LimitAnswer[]): void {
      // Those who were told that nobody answers are gone, their place is not.
      for (const [i, { resolve }] of sent.shift()?.waiting.entries() ?? []) resolve(answers[i]!)
    },
  }
}
