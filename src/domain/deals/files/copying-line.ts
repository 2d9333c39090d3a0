import { createFairLine, type FairLine } from '../../../platform/fair-line.ts'
import { longestCopyMs } from '../../../platform/outbound/copy-from-address.ts'

/** How long copies under way may go on once the server is told to stop. */
export const copyGraceMs = 10_000

/**
 * Copies wait for other servers and cost us little, so many may be under way; but each may take its ten minutes, and a
 * company that names slow addresses must fill its own share only. Dealers share their installer's, as it makes dealers
 * at will.
 */
export function createCopyingLine(): FairLine {
  return createFairLine({
    atOnce: { all: 64, group: 8, owner: 4 },
    waiting: { all: 400, group: 60, owner: 20 },
    maxWaitMs: 30_000,
    maxWorkMs: longestCopyMs,
  })
}
