import type { Batch, Panel } from './batch.ts'

const hourMs = 3_600_000
/** What a reading sums up is a day at most: a total of more belongs to no day, and a person says which is meant. */
export const longestMs = 24 * hourMs
/**
 * More than is written on a panel is made for moments only, under a cold sky between bright clouds. Kept whole, with
 * the places of a capacity, so that the limit is exact.
 */
const marginPercent = 130
const capacityPlaces = 10_000
/** A project of unknown size leaves its panels without a capacity: they are single ones, and none is larger. */
const unknownKw = 1

/** Millionths of a kWh for each 3,600,000 ms, a hundred times, as whole as capacities are. */
function perHour({ capacityKw }: Panel): number {
  return Math.round((capacityKw || unknownKw) * capacityPlaces) * marginPercent
}

/** The most that a panel can make in a time, in millionths of a kWh. */
export function maxOf(panel: Panel, intervalMs: number): number {
  return Math.floor((perHour(panel) * Math.min(intervalMs, longestMs)) / hourMs)
}

/** How long a panel takes to make so much. */
function leastMs(panel: Panel, microkwh: number): number {
  return (microkwh * hourMs) / perHour(panel)
}

export interface Checked {
  /**
   * By the place of each panel's first reading of a day: the latest time at which there may have been a reading before
   * it, for all of these to be possible.
   */
  latest: Float64Array
  /** Panels whose first reading is possible also where there was none on the day before. */
  begins: Uint8Array
}

/**
 * What can be said of a batch without looking at readings that are there already: null where one is not possible by the
 * time since the one before it. Nearly always this is all that has to be looked at.
 */
export function checkBatch(batch: Batch): Checked | null {
  const { panel, panels, at, microkwh } = batch
  const latest = new Float64Array(at.length)
  const begins = new Uint8Array(panels.length)
  for (let i = 0; i < at.length; i++) {
    const own = panels[panel[i]!]!
    const needed = leastMs(own, microkwh[i]!)
    if (needed > longestMs) return null
    if (panel[i - 1] === panel[i]) {
      if (needed > at[i]! - at[i - 1]!) return null
      latest[i] = at[i]!
      continue
    }
    latest[i] = Math.floor(at[i]! - needed)
    const next = panel[i + 1] === panel[i] ? at[i + 1]! - at[i]! : longestMs
    begins[panel[i]!] = needed <= next ? 1 : 0
  }
  return { latest, begins }
}

/** What was known of a panel's readings before one that is looked at closely. */
export interface Before {
  /** The last one within a day, quarantined ones too. */
  at: number | null
  /** Whether there ever was one. */
  any: boolean
}

/**
 * The time that each reading of a batch is held against: since the reading before it, or a day where that is longer
 * ago. The first one of all has that of the one after it in the same call, or a day.
 */
export function intervalsOf({ panel, at }: Batch, before: readonly Before[]): number[] {
  return at.map((time, i) => {
    const inBatch = panel[i - 1] === panel[i] ? at[i - 1]! : null
    const known = before[i]!
    const last = Math.max(inBatch ?? 0, known.at ?? 0)
    if (last > 0) return Math.min(time - last, longestMs)
    if (known.any) return longestMs
    const next = panel[i + 1] === panel[i] ? at[i + 1]! - time : longestMs
    return Math.min(next, longestMs)
  })
}
