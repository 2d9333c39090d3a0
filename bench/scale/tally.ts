export interface KindResult {
  /** By the rate, and as chance would have it. */
  askedPerSecond: number
  begunPerSecond: number
  donePerSecond: number
  begun: number
  done: number
  failed: number
  /** The first few reasons, and how often. */
  failures: Record<string, number>
  p50Ms: number | null
  p99Ms: number | null
  maxMs: number | null
}

const maxReasons = 5

/** Counts what was asked, what was done and how long it took. */
export function createTally(asked: number) {
  const times: number[] = []
  const failures: Record<string, number> = {}
  let begun = 0
  let failed = 0
  return {
    begun() {
      begun++
    },
    done(ms: number) {
      times.push(ms)
    },
    failed(reason: string) {
      failed++
      if (failures[reason] !== undefined || Object.keys(failures).length < maxReasons)
        failures[reason] = (failures[reason] ?? 0) + 1
    },
    result(seconds: number): KindResult {
      // What has no answer by now has failed as well.
      const unanswered = begun - times.length - failed
      if (unanswered > 0) failures['no answer by the end'] = unanswered
      return {
        askedPerSecond: asked / seconds,
        begunPerSecond: begun / seconds,
        donePerSecond: times.length / seconds,
        begun,
        done: times.length,
        failed: failed + unanswered,
        failures,
        ...spread(times),
      }
    },
  }
}

export function spread(timesMs: number[]): Pick<KindResult, 'p50Ms' | 'p99Ms' | 'maxMs'> {
  const sorted = timesMs.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? null
  return { p50Ms: at(0.5), p99Ms: at(0.99), maxMs: sorted.at(-1) ?? null }
}
