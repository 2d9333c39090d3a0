import type { Db } from '../../../platform/db.ts'
import { TryLater } from '../../kernel/domain-error.ts'
import { findKeyOwners, type KeyOwner } from './queries.ts'

type Found = KeyOwner | null

interface BatchLimits {
  /** How many are looked up by one statement, and how many may wait for theirs. */
  maxBatch: number
  maxWaiting: number
  /** Between one statement and the next. */
  gapMs: number
}

const quick: BatchLimits = { maxBatch: 500, maxWaiting: 20_000, gapMs: 0 }
const slow: BatchLimits = { maxBatch: 200, maxWaiting: 1_000, gapMs: 100 }

/** So many wrong keys are anybody's mistake; one is forgotten in this time. */
const freeMisses = 30
const forgetMs = 2_000
const places = 10_000

export interface KeyLookUps {
  /** Who holds the key of this hash. `known`: it was good before. `from` is the network that it came from. */
  find(hash: string, from: string, known: boolean): Promise<Found>
}

/**
 * Reads keys that are not remembered. While one statement is under way others gather for the next, so that a flood of
 * wrong keys costs no more than a stream of statements, one at a time. Networks that send many wrong ones have a slower
 * stream to themselves: a good key that comes from there, too, is found, and nobody else waits for them.
 */
export function createKeyLookUps(db: Db, now = () => performance.now()): KeyLookUps {
  const misses = new Map<string, { count: number; at: number }>()
  const batchers = { quick: createBatcher(db, quick), slow: createBatcher(db, slow) }

  function missesOf(from: string): number {
    const counted = misses.get(from)
    return counted ? Math.max(0, counted.count - (now() - counted.at) / forgetMs) : 0
  }

  function noteMiss(from: string): void {
    const count = Math.min(missesOf(from) + 1, 2 * freeMisses)
    misses.delete(from)
    misses.set(from, { count, at: now() })
    if (misses.size > places) misses.delete(misses.keys().next().value!)
  }

  return {
    async find(hash, from, known) {
      const findInBatch = known || missesOf(from) < freeMisses ? batchers.quick : batchers.slow
      const owner = await findInBatch(hash)
      if (!owner) noteMiss(from)
      return owner
    },
  }
}

interface Waiting {
  hash: string
  found: PromiseWithResolvers<Found>
}

function createBatcher(
  db: Db,
  { maxBatch, maxWaiting, gapMs }: BatchLimits,
): (hash: string) => Promise<Found> {
  let waiting: Waiting[] = []
  let working = false

  async function work(): Promise<void> {
    working = true
    while (waiting.length > 0) {
      const batch = waiting.slice(0, maxBatch)
      waiting = waiting.slice(maxBatch)
      try {
        const owners = await findKeyOwners(
          db,
          batch.map(({ hash }) => hash),
        )
        for (const { hash, found } of batch) found.resolve(owners.get(hash) ?? null)
      } catch (error) {
        for (const { found } of batch) found.reject(error)
      }
      if (gapMs > 0) await new Promise((resolve) => setTimeout(resolve, gapMs).unref())
    }
    working = false
  }

  return (hash) => {
    if (waiting.length >= maxWaiting) {
      const message = 'Too many calls with wrong keys come from your network. Try again in a second.'
      return Promise.reject(new TryLater('rate_limited', message, 1))
    }
    const found = Promise.withResolvers<Found>()
    waiting.push({ hash, found })
    if (!working) void work()
    return found.promise
  }
}
