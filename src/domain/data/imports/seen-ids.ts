import { hash } from 'node:crypto'

export interface SeenIds {
  /** Whether it was met before. */
  meet(id: string): boolean
}

/**
 * Remembers which of a file's ids were met, in 16 to 32 bytes for each row: of two that differ, one is taken for the
 * other once in a hundred million files.
 */
export function createSeenIds(maxIds: number): SeenIds {
  const slots = 2 ** Math.ceil(Math.log2(2 * maxIds + 1))
  const marks = new BigUint64Array(slots)
  return {
    meet(id) {
      const mark = hash('sha256', id, 'buffer').readBigUInt64LE() || 1n
      let at = Number(mark % BigInt(slots))
      while (marks[at] !== 0n && marks[at] !== mark) at = (at + 1) % slots
      const met = marks[at] === mark
      marks[at] = mark
      return met
    },
  }
}
