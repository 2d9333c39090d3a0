import type { Db } from '../../../platform/db.ts'
import type { Made } from './measured-installation.ts'
import { listPlaces, loadMade } from './measurement-queries.ts'
import { neighboursOf, type Place } from './neighbourhood.ts'

/** Half a megabyte each. */
const regionsKept = 16
/** Some 25 kB each. */
const neighboursKept = 200
/** For so long; what a neighbour sends late counts for whoever asks after that. */
const usuallyKeptMs = 120_000

/**
 * Reads what an installation's neighbours made by a time. Under a dark sky all of a region ask, and mostly the same ones: what
 * was read last is kept for the next.
 */
export function neighbourReader(
  db: Db,
  installerId: string,
  at: Date,
  keptMs = usuallyKeptMs,
): (installation: Place) => Promise<Made[]> {
  const places = new Map<string, Place[]>()
  const made = new Map<string, Made | undefined>()
  let begun = performance.now()
  return async (installation) => {
    if (performance.now() - begun > keptMs) {
      places.clear()
      made.clear()
      begun = performance.now()
    }
    const { region } = installation
    const there = places.get(region) ?? (await listPlaces(db, { installerId, region }))
    keep(places, regionsKept, region, there)
    const ids = neighboursOf(installation, there)
    const unread = ids.filter((id) => !made.has(id))
    const read = await loadMade(db, installerId, unread, at)
    const neighbours = ids.map((id) => [id, made.get(id) ?? read.get(id)] as const)
    for (const [id, one] of neighbours) keep(made, neighboursKept, id, one)
    return neighbours.flatMap(([, one]) => one ?? [])
  }
}

/** Keeps what was used last. */
function keep<Value>(kept: Map<string, Value>, most: number, key: string, value: Value): void {
  kept.delete(key)
  kept.set(key, value)
  if (kept.size > most) kept.delete(kept.keys().next().value!)
}
