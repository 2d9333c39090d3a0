/** Chance that is the same at every start: what is drawn depends on the seed alone. */
export interface Random {
  /** A whole number from `min` to `max`, both included. */
  whole(min: number, max: number): number
  pick<T>(list: readonly T[]): T
  /** Several different ones, in the order of the list. */
  some<T>(list: readonly T[], count: number): T[]
  chance(share: number): boolean
  /** The 10-character UID of the older system. */
  reference(): string
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

export function createRandom(seed: string): Random {
  const next = mulberry32(hashOf(seed))
  const whole = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return {
    whole,
    pick: (list) => list[whole(0, list.length - 1)]!,
    some: (list, count) => {
      const left = list.map((_, i) => i)
      const taken = Array.from(
        { length: Math.min(count, list.length) },
        () => left.splice(whole(0, left.length - 1), 1)[0]!,
      )
      return taken.sort((a, b) => a - b).map((i) => list[i]!)
    },
    chance: (share) => next() < share,
    reference: () => Array.from({ length: 10 }, () => letters[whole(0, letters.length - 1)]).join(''),
  }
}

/** FNV-1a: near seeds such as "…/1" and "…/2" give streams that have nothing in common. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
