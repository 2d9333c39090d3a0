import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseUnavailable } from '../database-errors.ts'
import { within } from '../within.ts'

/** Nothing was done: the tenant is being moved to another node, or has just been. */
export class BeingMoved extends DatabaseUnavailable {
  override name = 'BeingMoved'
  readonly shard: string
  readonly installerId: string

  constructor(shard: string, installerId: string) {
    super('the tenant is being moved to another node')
    this.shard = shard
    this.installerId = installerId
  }
}

export interface Moves {
  isUnderWay(shard: string): boolean
  /** Waits until the tenant can be written again; answers whether it was worth waiting for. */
  over(moved: BeingMoved, untilMs: number): Promise<boolean>
}

const lookMs = 200
/** In all shards together. Each is a call that is held in memory, and no connection. */
const mostWaiting = 1_000

/**
 * Holds back the writes of a shard that is being moved, so that they keep no connection from the tenants of other shards. One
 * tenant of it asks for all of them when it is over.
 */
export function createMoves(
  canBeWritten: (installerId: string) => Promise<boolean>,
  patienceMs: number,
): Moves {
  const underWay = new Map<string, Promise<void>>()
  let waiting = 0

  async function look(installerId: string): Promise<void> {
    const until = performance.now() + patienceMs
    // Why it cannot be asked is told to those who wait, once they ask for themselves.
    while (!(await canBeWritten(installerId).catch(() => true)) && performance.now() < until)
      await sleep(lookMs)
  }

  return {
    isUnderWay: (shard) => underWay.has(shard),
    async over({ shard, installerId }, untilMs) {
      if (waiting >= mostWaiting) return false
      let move = underWay.get(shard)
      if (!move) {
        move = look(installerId).finally(() => underWay.delete(shard))
        underWay.set(shard, move)
      }
      waiting++
      const isOver = await within(untilMs - performance.now(), move)
      waiting--
      return isOver
    },
  }
}
