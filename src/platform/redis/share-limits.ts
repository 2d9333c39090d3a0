import type { AttemptLimits } from '../attempt-limits.ts'
import type { Log } from '../log.ts'
import type { SharedLimitMetrics } from '../metrics.ts'
import type { RateLimiter } from '../rate-limit.ts'
import { within } from '../within.ts'

export interface Limits {
  /** Null where the limit is turned off. */
  limiter: RateLimiter | null
  attempts: AttemptLimits
}

export interface SharedBy {
  /** Null: what is counted is not shared with other hosts. */
  redisUrl: string | null
  secret: () => Promise<Buffer>
  /** For tests: how long Redis may take. */
  answerMs?: number
  log: Log
  metrics: SharedLimitMetrics
}

/** So long a start waits for Redis. It serves without it too. */
const firstWaitMs = 1_000

/** Shares limits by Redis where it is configured; while that is away they are what they were without it. */
export async function shareLimits(alone: Limits, by: SharedBy): Promise<Limits & { close(): Promise<void> }> {
  const { redisUrl, log, metrics } = by
  const closeAlone = () => {
    alone.limiter?.close()
    alone.attempts.close()
  }
  if (redisUrl === null) return { ...alone, close: async () => closeAlone() }
  // Loaded here, so that a server without it starts without it.
  const { connectRedis } = await import('./connection.ts')
  const { shareAttemptLimits, shareRateLimiter } = await import('./shared-limits.ts')
  const first = Promise.withResolvers<void>()
  metrics.shared(false)
  const counts = connectRedis({
    url: redisUrl,
    limits: by.answerMs ? { answerMs: by.answerMs } : {},
    onChange(reason) {
      metrics.shared(reason === null)
      if (reason === null) log.info('limits are shared by Redis')
      else log.warn({ reason }, 'Redis is away: until it is back each host limits calls and tries for itself')
      first.resolve()
    },
  })
  if (!(await within(firstWaitMs, first.promise)))
    log.warn('Redis does not answer: until it does each host limits calls and tries for itself')
  const options = { counts, secret: await by.secret(), onAlone: metrics.alone }
  return {
    limiter: alone.limiter && shareRateLimiter(alone.limiter, options),
    attempts: shareAttemptLimits(alone.attempts, options),
    async close() {
      closeAlone()
      await counts.close()
    },
  }
}
