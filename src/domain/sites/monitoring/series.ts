import { bucketOf, type Granularity } from '../energy/energy.ts'
import { type Day, type DayRange, slotsOf, startOfDay } from '../energy/local-time.ts'
import type { DayMade } from './installation-queries.ts'
import { clockHours, hourOnClock, missingHours, usualHours } from './usual-hours.ts'

/** What was made in an hour, a day, a week or a month. */
export interface SeriesBucket {
  /** When it begins, in seconds since 1970. */
  at: number
  /** Null where there is no reading. */
  kwh: number | null
  /** Whether readings that should be there are missing: some of them, or all. */
  gap?: 'some' | 'all'
  /** What was made a year before, where that is asked for. */
  before?: number | null
}

export interface SeriesOf {
  timezone: string
  range: DayRange
  /** The first day of all that has readings; null where there is none. */
  firstDay: Day | null
  today: Day
  now: Date
  /** With some days before the range, for what is usual. */
  made: readonly DayMade[]
  /** Of the year before; null where it is not asked for. */
  yearBefore: readonly DayMade[] | null
}

const hourMs = 3_600_000
const daysInWeek = 7
const sameWeekdayAgo = 52 * daysInWeek
const second = 1_000

/** The bucket's days are held against the same days a year ago; weeks against those that begin on a Monday too. */
export function yearBefore(granularity: Granularity, day: Day): Day {
  if (granularity === 'weekly') return day - sameWeekdayAgo
  const date = new Date(day * 24 * hourMs)
  const [month, dayOfMonth] = [date.getUTCMonth(), date.getUTCDate()]
  const last = new Date(Date.UTC(date.getUTCFullYear() - 1, month + 1, 0)).getUTCDate()
  return Date.UTC(date.getUTCFullYear() - 1, month, Math.min(dayOfMonth, last)) / (24 * hourMs)
}

/** What was made at times of which it is known a year before too, and what it was then. */
export interface Compared {
  kwh: number
  before: number
}

export interface Drawn {
  buckets: SeriesBucket[]
  compared: Compared
}

/** The whole of it in order, what is missing too; nothing of the future. */
export function seriesOf(granularity: Granularity, of: SeriesOf): Drawn {
  const days = new Map(of.made.map((made) => [made.day, made]))
  const before = of.yearBefore && new Map(of.yearBefore.map((made) => [made.day, made]))
  return granularity === 'hourly' ? byHour(of, days, before) : byDays(granularity, of, days, before)
}

type Days = ReadonlyMap<Day, DayMade>

function byHour(of: SeriesOf, days: Days, before: Days | null): Drawn {
  const usual = usualHours(of.timezone, of.made)
  const buckets: SeriesBucket[] = []
  const compared = { kwh: 0, before: 0 }
  for (let day = of.range.first; day <= Math.min(of.range.last, of.today); day++) {
    const slots = slotsOf(of.timezone, day).filter(({ ms }) => ms <= of.now.getTime())
    const over = slots.filter(({ ms }) => ms + hourMs <= of.now.getTime()).length
    const clock = clockHours(of.timezone, day).slice(0, over)
    const made = days.get(day)?.hours ?? []
    const isKnown = of.firstDay !== null && day >= of.firstDay
    const missing = isKnown ? missingHours(clock, made, usual(day)) : null
    const then = before && hoursOfClock(of.timezone, before.get(yearBefore('hourly', day)))
    for (const [slot, { ms, offsetMs }] of slots.entries()) {
      const kwh = made[slot] ?? null
      const thenKwh = then?.get(hourOnClock(ms + offsetMs)) ?? null
      if (kwh !== null && thenKwh !== null) {
        compared.kwh += kwh
        compared.before += thenKwh
      }
      buckets.push({
        at: ms / second,
        kwh,
        ...(missing?.has(slot) ? { gap: 'all' } : {}),
        ...(then ? { before: thenKwh } : {}),
      })
    }
  }
  return { buckets, compared }
}

/** By the hour that the clock shows: an hour that comes twice counts once, as its first. */
function hoursOfClock(zone: string, made: DayMade | undefined): Map<number, number> {
  const found = new Map<number, number>()
  if (!made?.hours) return found
  const clock = clockHours(zone, made.day)
  for (const [slot, kwh] of made.hours.entries()) {
    const hour = clock[slot]
    if (kwh !== null && hour !== undefined && !found.has(hour)) found.set(hour, kwh)
  }
  return found
}

interface Sum {
  kwh: number | null
  expected: number
  missing: number
  partly: boolean
  before: number | null
}

function byDays(
  granularity: Exclude<Granularity, 'hourly'>,
  of: SeriesOf,
  days: Days,
  before: Days | null,
): Drawn {
  const usual = of.made.some(({ hours }) => hours !== null) ? usualHours(of.timezone, of.made) : null
  const sums = new Map<Day, Sum>()
  const compared = { kwh: 0, before: 0 }
  for (let day = of.range.first; day <= Math.min(of.range.last, of.today); day++) {
    const bucket = bucketOf(granularity, day)
    let sum = sums.get(bucket)
    if (!sum) {
      sum = { kwh: null, expected: 0, missing: 0, partly: false, before: null }
      sums.set(bucket, sum)
    }
    const made = days.get(day)
    if (made) sum.kwh = (sum.kwh ?? 0) + made.kwh
    if (of.firstDay !== null && day >= of.firstDay && day < of.today) {
      sum.expected++
      if (!made) sum.missing++
      else if (usual && lacksHours(of.timezone, made, usual(day))) sum.partly = true
    }
    const then = before?.get(yearBefore(granularity, day))
    if (then) sum.before = (sum.before ?? 0) + then.kwh
    if (then && made) {
      compared.kwh += made.kwh
      compared.before += then.kwh
    }
  }
  const buckets = [...sums].map(([day, sum]): SeriesBucket => {
    const gap = gapOf(sum)
    return {
      at: startOfDay(of.timezone, day).ms / second,
      kwh: sum.kwh,
      ...(gap ? { gap } : {}),
      ...(before ? { before: sum.before } : {}),
    }
  })
  return { buckets, compared }
}

function gapOf({ expected, missing, partly, kwh }: Sum): 'some' | 'all' | null {
  if (missing > 0 && missing === expected && kwh === null) return 'all'
  return missing > 0 || partly ? 'some' : null
}

function lacksHours(zone: string, made: DayMade, usual: ReadonlySet<number>): boolean {
  return missingHours(clockHours(zone, made.day), made.hours ?? [], usual).size > 0
}
