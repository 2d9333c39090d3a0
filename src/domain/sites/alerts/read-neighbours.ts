import type { Db } from '../../../platform/db.ts'
import type { MeasuredInstallation } from './measured-installation.ts'
import { listPlaces, loadMade } from './measurement-queries.ts'
import { type Neighbourhood, neighbourhoodOf, neighboursOf } from './neighbourhood.ts'

/** At most 200 kB each. */
const regionsKept = 64
/** Of so many installations the neighbours are read at once: at most 200, of some 25 kB each. */
const askingAtOnce = 10

/**
 * Reads what installations' neighbours made by a time. Under a dark sky all of a region ask: its places are read once, and
 * what is asked for by several that are looked at together, too.
 */
export function neighbourReader(db: Db, installerId: string, at: Date) {
  const regions = new Map<string, Neighbourhood>()

  async function neighbourhood(region: string): Promise<Neighbourhood> {
    const there = regions.get(region) ?? neighbourhoodOf(await listPlaces(db, { installerId, region }))
    regions.delete(region)
    regions.set(region, there)
    if (regions.size > regionsKept) regions.delete(regions.keys().next().value!)
    return there
  }

  return async function* withNeighbours(
    asking: readonly MeasuredInstallation[],
  ): AsyncGenerator<MeasuredInstallation> {
    for (let i = 0; i < asking.length; i += askingAtOnce) {
      const some = asking.slice(i, i + askingAtOnce)
      const idsOf = new Map<string, string[]>()
      for (const one of some) idsOf.set(one.id, neighboursOf(one, await neighbourhood(one.region)))
      const made = await loadMade(db, installerId, [...new Set([...idsOf.values()].flat())], at)
      for (const one of some)
        yield { ...one, neighbours: idsOf.get(one.id)!.flatMap((id) => made.get(id) ?? []) }
    }
  }
}
