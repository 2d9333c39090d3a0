export interface RateLimitState {
  allowed: boolean
  limit: number
  remaining: number
  /** Seconds after which the oldest counted call leaves the window, or, refused, the call passes. */
  resetSeconds: number
}

/** Behind this interface, so that several processes can share what is counted. */
export interface RateLimiter {
  limit: number
  /** Answered at once where calls are counted in this process. */
  take(key: string): RateLimitState | Promise<RateLimitState>
  close(): void
}

/** Whoever counts cannot be asked just now. */
export class LimitsUnavailable extends Error {
  override name = 'LimitsUnavailable'
}

/** When the calls that passed were made, oldest at `first`. */
interface Window {
  times: number[]
  first: number
}

/**
 * An exact sliding window: a call passes when fewer than `limit` calls passed in the window before
 * it. Refused calls are not counted, so they do not extend the wait.
 */
export function createRateLimiter(limit: number, windowMs = 60_000, now = () => performance.now()) {
  const windows = new Map<string, Window>()

  const forgetIdle = setInterval(() => {
    const cutoff = now() - windowMs
    for (const [key, { times }] of windows) if (times.at(-1)! <= cutoff) windows.delete(key)
  }, windowMs)
  forgetIdle.unref()

  return {
    limit,
    take(key: string): RateLimitState {
      const at = now()
      let window = windows.get(key)
      if (!window) {
        window = { times: [], first: 0 }
        windows.set(key, window)
      }
      const { times } = window
      while (window.first < times.length && times[window.first]! + windowMs <= at) window.first++
      if (window.first > limit) window.first -= times.splice(0, window.first).length
      const allowed = times.length - window.first < limit
      if (allowed) times.push(at)
      return {
        allowed,
        limit,
        remaining: limit - (times.length - window.first),
        resetSeconds: Math.max(1, Math.ceil((times[window.first]! + windowMs - at) / 1000)),
      }
    },
    close: () => clearInterval(forgetIdle),
  } satisfies RateLimiter
}
