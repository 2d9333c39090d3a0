export interface RateLimitState {
  allowed: boolean
  limit: number
  remaining: number
  /** Seconds after which the oldest counted call leaves the window, or, refused, the call passes. */
  resetSeconds: number
}

export interface RateLimiter {
  limit: number
  take(key: string): RateLimitState
  close(): void
}

interface Window {
  /** When the last `limit` passed calls were made, as a ring: `next` is the oldest slot. */
  times: Float64Array
  next: number
  count: number
}

/**
 * An exact sliding window: a call passes when fewer than `limit` calls passed in the window before
 * it. Refused calls are not counted, so they do not extend the wait.
 */
export function createRateLimiter(
  limit: number,
  windowMs = 60_000,
  now = () => performance.now(),
): RateLimiter {
  const windows = new Map<string, Window>()

  const forgetIdle = setInterval(() => {
    const cutoff = now() - windowMs
    for (const [key, window] of windows) {
      const newest = window.times[(window.next + limit - 1) % limit]!
      if (newest <= cutoff) windows.delete(key)
    }
  }, windowMs)
  forgetIdle.unref()

  return {
    limit,
    take(key) {
      const at = now()
      let window = windows.get(key)
      if (!window) {
        window = { times: new Float64Array(limit).fill(Number.NEGATIVE_INFINITY), next: 0, count: 0 }
        windows.set(key, window)
      }
      const { times } = window
      while (window.count > 0 && times[(window.next + limit - window.count) % limit]! + windowMs <= at)
        window.count--
      const allowed = window.count < limit
      if (allowed) {
        times[window.next] = at
        window.next = (window.next + 1) % limit
        window.count++
      }
      const oldest = times[(window.next + limit - window.count) % limit]!
      return {
        allowed,
        limit,
        remaining: limit - window.count,
        resetSeconds: Math.max(1, Math.ceil((oldest + windowMs - at) / 1000)),
      }
    },
    close: () => clearInterval(forgetIdle),
  }
}
