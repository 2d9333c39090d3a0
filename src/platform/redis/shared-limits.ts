import { createHmac } from 'node:crypto'
import { type AttemptLimits, attemptOf, type Counted } from '../attempt-limits.ts'
import type { RateLimiter, RateLimitState } from '../rate-limit.ts'
import type { Reply, SharedCounts } from './connection.ts'
import { countAttempt, settleAttempt, takeCall } from './scripts.ts'

export interface SharedLimitsOptions {
  counts: SharedCounts
  /** Names in Redis are hashes by it: who reads them learns nothing, and other databases have others. */
  secret: Buffer
  /** Called for each decision that was made without Redis. */
  onAlone(): void
}

/** Calls counted over all hosts; by `alone` while Redis is away. */
export function shareRateLimiter(
  alone: RateLimiter,
  { counts, secret, onAlone }: SharedLimitsOptions,
  windowMs = 60_000,
): RateLimiter {
  const nameOf = rememberNames((key) => nameIn('calls', secret, key))
  const args = [String(alone.limit), String(windowMs * 1_000)]
  const takeAlone = (key: string) => {
    onAlone()
    return alone.take(key)
  }
  return {
    limit: alone.limit,
    take(key) {
      const asked = counts.run(takeCall, [nameOf(key)], args)
      if (!asked) return takeAlone(key)
      return asked.then((reply) => (reply === null ? takeAlone(key) : stateOf(reply, alone.limit)))
    },
    close: alone.close,
  }
}

function stateOf(reply: Reply, limit: number): RateLimitState {
  const [allowed, remaining, resetMicroseconds] = reply as [number, number, number]
  const resetSeconds = Math.max(1, Math.ceil(resetMicroseconds / 1_000_000))
  return { allowed: allowed === 1, limit, remaining, resetSeconds }
}

/** Tries counted over all hosts; by `alone` while Redis is away. */
export function shareAttemptLimits(
  alone: AttemptLimits,
  { counts, secret, onAlone }: SharedLimitsOptions,
): AttemptLimits {
  const namesOf = (counted: readonly Counted[]) => counted.map(({ key }) => nameIn('tries', secret, key))

  async function begin(counted: readonly Counted[]) {
    const names = namesOf(counted)
    const rules = counted.flatMap(({ rule }) => [rule.free, rule.firstWaitMs, rule.maxWaitMs, rule.forgetMs])
    const reply = await counts.run(countAttempt, names, rules.map(String))
    if (reply === null) {
      onAlone()
      return alone.begin(counted)
    }
    const [waitMs, ...until] = reply as [number, ...string[]]
    if (waitMs > 0) return { waitMs }
    const attempt = attemptOf((outcome) => {
      const args = counted.flatMap(({ clearedByRight }, i) => [
        until[i]!,
        outcome === 'right' && clearedByRight ? '1' : '0',
      ])
      // Lost where Redis is away by now: then it counts as wrong until it is forgotten.
      void counts.run(settleAttempt, names, args)
    })
    return { attempt }
  }

  return { begin, close: alone.close }
}

function nameIn(kind: 'calls' | 'tries', secret: Buffer, key: string): string {
  const hash = createHmac('sha256', secret).update(key).digest('base64url').slice(0, 24)
  return `sunstead:${kind}:${hash}`
}

const remembered = 10_000

function rememberNames(make: (key: string) => string): (key: string) => string {
  const names = new Map<string, string>()
  return (key) => {
    const known = names.get(key)
    if (known) return known
    if (names.size >= remembered) names.clear()
    const made = make(key)
    names.set(key, made)
    return made
  }
}
