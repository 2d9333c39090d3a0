const keptSamples = 600

/**
 * How far a replica is behind, by when the primary was where the replica is now: a primary on which nobody writes stays
 * where it is, so the time since the last change is not taken for a lag.
 */
export function createLag() {
  let samples: { place: number; atMs: number }[] = []
  return {
    /** The primary was seen at this place of its log. */
    primaryAt(place: number, atMs: number): void {
      if (samples.at(-1)?.place === place) return
      samples.push({ place, atMs })
      if (samples.length > keptSamples) samples = samples.filter((_, i) => i % 2 === 0)
    },
    /** Of a replica that has come to this place, in seconds. */
    secondsAt(place: number, nowMs: number): number {
      while (samples.length > 0 && samples[0]!.place <= place) samples.shift()
      return samples.length === 0 ? 0 : Math.max(0, nowMs - samples[0]!.atMs) / 1000
    },
  }
}
