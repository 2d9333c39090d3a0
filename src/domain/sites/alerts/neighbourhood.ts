import {
  daysInYear,
  historyDays,
  installationHourDays,
  type Made,
  type MeasuredInstallation,
  panelHourDays,
  seasonDays,
} from './measured-installation.ts'
import { median, quantile } from './statistics.ts'

/** So many installations tell what the weather is. */
const maxNeighbours = 20
/** Fewer in the same postal area are not asked alone. */
const enoughNearby = 2
/** Where neighbours make less than this part of what is usual for them, it is the sky. */
const darkPart = 0.15
const litPart = 0.3
const pastNeeded = 7

export interface Place {
  id: string
  region: string
  address: string
  timezone: string
}

/** Who may be asked about the weather of a time zone in a region, and of each postal area there: one more, as it may be who asks. */
export type Neighbourhood = ReadonlyMap<string, readonly string[]>

export function neighbourhoodOf(places: readonly Place[]): Neighbourhood {
  const neighbourhood = new Map<string, string[]>()
  for (const place of places) {
    for (const key of keysOf(place)) {
      const there = neighbourhood.get(key) ?? []
      if (there.length <= maxNeighbours) there.push(place.id)
      neighbourhood.set(key, there)
    }
  }
  return neighbourhood
}

/** Those whose weather is the same: the same postal area, else the region. */
export function neighboursOf(installation: Place, neighbourhood: Neighbourhood): string[] {
  const [all, near = []] = keysOf(installation).map((key) =>
    (neighbourhood.get(key) ?? []).filter((id) => id !== installation.id).slice(0, maxNeighbours),
  )
  return near.length >= enoughNearby ? near : all!
}

function keysOf({ region, timezone, address }: Place): string[] {
  const all = `${region} ${timezone}`
  const area = postalAreaOf(address)
  return area === null ? [all] : [all, `${all} ${area}`]
}

// The first half of a postal code, where one ends the address or stands before the country.
const postalCode =
  /(?:^|[\s,])(?:(\d{3})\d{2}(?:-\d{4})?|([A-Z]\d[A-Z])\s?\d[A-Z]\d)(?:,?\s*[A-Za-z .]{2,30})?\s*$/

function postalAreaOf(address: string): string | null {
  const match = postalCode.exec(address)
  return match?.[1] ?? match?.[2] ?? null
}

/** Whether neighbours, too, made next to nothing at these hours. */
export function darkHours(
  { neighbours }: MeasuredInstallation,
  hours: readonly { day: number; hour: number }[],
): boolean {
  const parts = neighbours.flatMap((made) => {
    let usual = 0
    let found = 0
    for (const { day, hour } of hours) {
      const kwh = made.hours.get(day)?.[hour] ?? null
      const expected = usualAt(made, day, hour)
      if (kwh === null || expected === null) continue
      usual += expected
      found += kwh
    }
    return usual > 0 ? [found / usual] : []
  })
  return isDark(parts)
}

/** What is usual at an hour, from before anything of the last days happened. */
function usualAt({ hours }: Made, day: number, hour: number): number | null {
  const known: number[] = []
  for (let before = day - installationHourDays; before <= day - panelHourDays; before++) {
    const kwh = hours.get(before)?.[hour] ?? null
    if (kwh !== null) known.push(kwh)
  }
  return known.length < pastNeeded ? null : median(known)
}

/** The same of the whole day before today. */
export function darkYesterday({ neighbours }: MeasuredInstallation, today: number): boolean {
  const parts = neighbours.flatMap(({ days }) => {
    const before: number[] = []
    for (let day = today - 1 - installationHourDays; day < today - 1; day++) {
      const total = days.get(day)
      if (total) before.push(total.kwh)
    }
    const made = days.get(today - 1)
    const usual = before.length < pastNeeded ? 0 : median(before)
    return made && usual > 0 ? [made.kwh / usual] : []
  })
  return isDark(parts)
}

/** Those of the days on which neighbours made a fair part of what they make on good ones. */
export function litDays(
  { neighbours }: MeasuredInstallation,
  days: readonly number[],
  today: number,
): number[] {
  const known = neighbours.flatMap(({ days: made }) => {
    const totals = Array.from({ length: historyDays }, (_, i) => made.get(today - 1 - i)?.kwh ?? [])
    const good = quantile(totals.flat(), 0.9)
    return good > 0 ? [{ made, good }] : []
  })
  return days.filter((day) => {
    const parts = known.flatMap(({ made, good }) => (made.has(day) ? [made.get(day)!.kwh / good] : []))
    return parts.length > 0 && median(parts) >= litPart
  })
}

/** The median: one neighbour that is out itself, or whose sensor sends nonsense, decides nothing. */
function isDark(parts: readonly number[]): boolean {
  return parts.length > 0 && median(parts) < darkPart
}

/** What a season makes of the year before's, by neighbours: 1 where none can say, and where it is better. */
export function seasonPart({ neighbours }: MeasuredInstallation, from: number, today: number): number {
  const parts = neighbours.flatMap(({ days }) => {
    const totals = (first: number, last: number) => {
      const found: number[] = []
      for (let day = first; day <= last; day++) {
        const total = days.get(day)
        if (total && total.readings > 0) found.push(total.kwh)
      }
      return found
    }
    const recent = totals(from, today - 1)
    const yearAgo = today - daysInYear
    const then = totals(yearAgo - seasonDays, yearAgo + seasonDays)
    if (recent.length < pastNeeded || then.length < pastNeeded) return []
    const good = quantile(then, 0.9)
    return good > 0 ? [quantile(recent, 0.95) / good] : []
  })
  return parts.length === 0 ? 1 : Math.min(1, median(parts))
}
