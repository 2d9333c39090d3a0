import { QueueBusy, type Share } from './fair-queue.ts'

export interface MemoryBudgetOptions {
  /** How many bytes may be held at once, in all, of one group and of one owner. */
  max: { all: number; group: number; owner: number }
  /** What nothing is held longer than: nobody is told to wait for longer. */
  maxHoldMs: number
  now?: () => number
}

/** What one piece of work holds. */
export interface Held {
  /** Throws QueueBusy where there is no room for so much more. */
  grow(bytes: number): void
  shrink(bytes: number): void
  /** All of it; harmless when called again. */
  letGo(): void
}

export interface MemoryBudget {
  hold(share: Share): Held
}

interface Place extends Share {
  bytes: number
  since: number
}

/** Memory that nobody can fill for others: each owner has a share of it, within that of its group. */
export function createMemoryBudget({
  max,
  maxHoldMs,
  now = () => performance.now(),
}: MemoryBudgetOptions): MemoryBudget {
  const places = new Set<Place>()
  const ofGroups = new Map<string, number>()
  const ofOwners = new Map<string, number>()
  let all = 0

  const add = (sums: Map<string, number>, name: string, bytes: number) => {
    const sum = (sums.get(name) ?? 0) + bytes
    if (sum === 0) sums.delete(name)
    else sums.set(name, sum)
  }

  function change(place: Place, bytes: number): void {
    place.bytes += bytes
    if (place.bytes > 0) places.add(place)
    else places.delete(place)
    all += bytes
    add(ofGroups, place.group, bytes)
    add(ofOwners, place.owner, bytes)
  }

  /** Whose places stand in the way of so much more; null where nobody's do. */
  function inTheWay({ group, owner }: Share, bytes: number): ((one: Share) => boolean) | null {
    if ((ofOwners.get(owner) ?? 0) + bytes > max.owner) return (one) => one.owner === owner
    if ((ofGroups.get(group) ?? 0) + bytes > max.group) return (one) => one.group === group
    return all + bytes > max.all ? () => true : null
  }

  /** What was held for so long is held for about as long again. */
  function retryAfter(isInTheWay: (one: Share) => boolean): number {
    const times = [...places].filter(isInTheWay).map(({ since }) => now() - since)
    const mean = times.reduce((sum, ms) => sum + ms, 0) / Math.max(1, times.length)
    return Math.ceil(Math.max(Math.min(mean, maxHoldMs - mean), 1_000) / 1_000)
  }

  return {
    hold(share) {
      const place: Place = { ...share, bytes: 0, since: now() }
      return {
        grow(bytes) {
          const others = inTheWay(place, bytes)
          if (others) throw new QueueBusy(retryAfter(others))
          change(place, bytes)
        },
        shrink: (bytes) => change(place, -bytes),
        letGo: () => change(place, -place.bytes),
      }
    },
  }
}
