import type { ApiError } from './api-error.ts'

const firstWaitMs = 500
const longestWaitMs = 8_000

/** Whether it may go well the next time. */
export function isPassing({ code, status }: ApiError): boolean {
  return code === 'connection_failed' || code === 'timed_out' || [429, 502, 503, 504].includes(status ?? 0)
}

/**
 * How long to wait before the next attempt: as long as the server says, else twice as long each time. A part of it is
 * chance, so that those who were refused together do not come back together.
 */
export function waitMs(attempt: number, retryAfter: number | null): number {
  const backoff = Math.min(longestWaitMs, firstWaitMs * 2 ** (attempt - 1))
  const chance = Math.random()
  return retryAfter === null ? backoff * (0.5 + chance / 2) : retryAfter * 1000 + chance * firstWaitMs
}

export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal!.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
