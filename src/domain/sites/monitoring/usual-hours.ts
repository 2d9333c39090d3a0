import { type Day, slotsOf } from '../energy/local-time.ts'
import type { DayMade } from './installation-queries.ts'

const hourMs = 3_600_000
const hoursInDay = 24
const daysLookedAt = 14
const daysNeeded = 3

export const hourOnClock = (localMs: number) => Math.floor(localMs / hourMs) % hoursInDay

/** The hours that a day's clock shows, in order: one is missing or comes twice where it is changed. */
export function clockHours(zone: string, day: Day): number[] {
  return slotsOf(zone, day).map(({ ms, offsetMs }) => hourOnClock(ms + offsetMs))
}

/**
 * Which hours of a day usually have readings: those of most of the last days that were reported, or of the first ones.
 * Nobody reports at night, or everybody does.
 */
export function usualHours(zone: string, reported: readonly DayMade[]): (day: Day) => ReadonlySet<number> {
  const hours = reported.map(({ day, hours }) => hoursReported(zone, day, hours ?? []))
  const none = new Set<number>()
  let upTo = 0
  return (day) => {
    if (upTo > 0 && reported[upTo - 1]!.day >= day) upTo = 0
    while (upTo < reported.length && reported[upTo]!.day < day) upTo++
    const before = hours.slice(Math.max(0, upTo - daysLookedAt), upTo)
    const looked = before.length >= daysNeeded ? before : hours.slice(0, daysLookedAt)
    return looked.length < daysNeeded ? none : usualIn(looked)
  }
}

function hoursReported(zone: string, day: Day, hours: readonly (number | null)[]): number[] {
  const clock = clockHours(zone, day)
  return hours.flatMap((kwh, slot) => (kwh === null || clock[slot] === undefined ? [] : [clock[slot]]))
}

function usualIn(days: readonly number[][]): Set<number> {
  const counts = new Array<number>(hoursInDay).fill(0)
  for (const hours of days) for (const hour of new Set(hours)) counts[hour]!++
  return new Set(counts.flatMap((count, hour) => (count * 2 > days.length ? [hour] : [])))
}

/** So many hours at either end of a day may be dark: the clock is changed, or the days become shorter. */
const maxDark = 2

/** The places among a day's hours that should have readings and have none. */
export function missingHours(
  clock: readonly number[],
  made: readonly (number | null)[],
  usual: ReadonlySet<number>,
): Set<number> {
  const known = (slot: number) => (made[slot] ?? null) !== null
  const missing = clock.flatMap((hour, slot) => (usual.has(hour) && !known(slot) ? [slot] : []))
  const first = clock.findIndex((_hour, slot) => known(slot))
  const last = clock.findLastIndex((_hour, slot) => known(slot))
  if (first < 0) return new Set(missing)
  const [early, late] = [missing.filter((slot) => slot < first), missing.filter((slot) => slot > last)]
  return new Set([
    ...(early.length > maxDark ? early : []),
    ...missing.filter((slot) => slot > first && slot < last),
    ...(late.length > maxDark ? late : []),
  ])
}
