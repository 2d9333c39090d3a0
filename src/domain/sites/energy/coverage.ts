import type { DayHour } from './daylight.ts'
import type { Day } from './local-time.ts'

/** A day of a panel that has readings. */
export interface PanelDay {
  day: Day
  readings: number
  /** Whether each of its hours has readings. */
  hours: readonly boolean[]
}

/** A panel, and the days on which it is expected to report. */
export interface ExpectedPanel {
  id: string
  name: string
  capacityKw: number
  /** The first and the last day that it is there; null: still. */
  since: Day
  until: Day | null
  /** Where it began with its first reading: the hour of its first day from which it is expected. */
  firstHour: number
  /** The last days with readings before the time that is looked at, the latest first. */
  before: readonly PanelDay[]
  /** Those of the time that is looked at, in order. */
  days: readonly PanelDay[]
}

/** Hours of daylight in which panels should have reported, and in which they did. */
export interface Coverage {
  expected: number
  covered: number
}

/** From so many days of data it is learnt how often a panel reports. */
export const learntDays = 14
/** Fewer before the month say less than those of the month itself. */
const fewestDays = 3
/** Who sends no more than this a day sends totals. */
const totalsADay = 2
/** Several readings an hour vary a little: the sun rises within one, a clock drifts. */
const tolerance = 0.95

/** How a panel reports: so many totals a day, or at these hours of the clock, so often in each. */
type Cadence = { totals: number } | { hours: ReadonlySet<number>; anHour: number }

/** What the hours of a day are. */
export type DaysAt = (day: Day) => readonly DayHour[]

/** What is to be expected of a panel in some days, and what came, day by day. */
export function coverageOf(panel: ExpectedPanel, first: Day, last: Day, hoursAt: DaysAt): Coverage[] {
  const cadence = cadenceOf(panel, hoursAt)
  const reported = new Map(panel.days.map((day) => [day.day, day]))
  return Array.from({ length: last - first + 1 }, (_, i) => {
    const day = first + i
    if (day < panel.since || (panel.until !== null && day > panel.until)) return { expected: 0, covered: 0 }
    const from = day === panel.since ? panel.firstHour : 0
    return dayCoverage(cadence, reported.get(day), hoursAt(day), from)
  })
}

function dayCoverage(
  cadence: Cadence | null,
  reported: PanelDay | undefined,
  hours: readonly DayHour[],
  from: number,
): Coverage {
  const bright = hours.filter(({ sun }) => sun === 'high').length
  // A day of the deepest winter counts, too, for whoever sends totals.
  if (cadence === null) return { expected: Math.max(bright, 1), covered: 0 }
  if ('totals' in cadence) {
    const expected = Math.max(bright, 1)
    return { expected, covered: expected * Math.min(1, (reported?.readings ?? 0) / cadence.totals) }
  }
  const usual = hours.flatMap(({ hour, sun }, slot) =>
    slot >= from && sun !== 'none' && cadence.hours.has(hour) ? [{ slot, sun }] : [],
  )
  const high = usual.filter(({ sun }) => sun === 'high')
  const expected = high.length > 0 ? high : usual
  if (!reported) return { expected: expected.length, covered: 0 }
  const there = expected.filter(({ slot }) => reported.hours[slot]).length
  const fullness = Math.min(1, anHour(reported) / (cadence.anHour * tolerance))
  return { expected: expected.length, covered: there * fullness }
}

/** From the last days before the time that is looked at, so that what is missing in it is not what is usual. */
function cadenceOf({ before, days }: ExpectedPanel, hoursAt: DaysAt): Cadence | null {
  const own = days.slice(0, learntDays)
  const learnt = before.length >= fewestDays || own.length === 0 ? before.slice(0, learntDays) : own
  if (learnt.length === 0) return null
  const usualReadings = quantile(
    learnt.map(({ readings }) => readings),
    0.75,
  )
  if (usualReadings <= totalsADay) return { totals: usualReadings }
  const counts = new Map<number, number>()
  for (const { day, hours } of learnt) {
    const clock = hoursAt(day)
    const shown = new Set(clock.flatMap(({ hour }, slot) => (hours[slot] ? [hour] : [])))
    for (const hour of shown) counts.set(hour, (counts.get(hour) ?? 0) + 1)
  }
  const hours = new Set([...counts].filter(([, count]) => count * 2 > learnt.length).map(([hour]) => hour))
  // So seldom at the same hour that only their number is usual.
  if (hours.size === 0) return { totals: usualReadings }
  return { hours, anHour: quantile(learnt.map(anHour), 0.5) }
}

function anHour({ readings, hours }: PanelDay): number {
  return readings / Math.max(1, hours.filter(Boolean).length)
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!
}
