export interface Random {
  /** A whole number from 0 to below `end`. */
  below(end: number): number
  pick<T>(values: readonly T[]): T
}

/** The same numbers at every run (mulberry32), so that runs can be compared. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const below = (end: number) => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * end)
  }
  return { below, pick: (values) => values[below(values.length)]! }
}

export function shuffled<T>(values: readonly T[], random: Random): T[] {
  const result = [...values]
  for (let i = result.length - 1; i > 0; i--) {
    const j = random.below(i + 1)
    const held = result[i]!
    result[i] = result[j]!
    result[j] = held
  }
  return result
}
