import type { AlertType } from './alert.ts'

/** How many days before today are looked at. */
export const historyDays = 56
/** Of how many days, today included, a panel's hours are looked at. */
export const panelHourDays = 3
/** The same of the whole installation. */
export const installationHourDays = 15
/** The same season a year ago, so many days either side. */
export const seasonDays = 15
export const daysInYear = 365

export interface DayTotal {
  kwh: number
  readings: number
}

/** kWh hour by hour from midnight; null where there is no reading. */
export type Hours = readonly (number | null)[]

/** What was made, by days since 1970 in the installation's zone. */
export interface Made {
  days: ReadonlyMap<number, DayTotal>
  hours: ReadonlyMap<number, Hours>
}

/** What a panel sent and cannot have made: it is in no total. */
export interface Quarantined {
  /** How many of a day's readings, of the last days. */
  quarantined: ReadonlyMap<number, number>
  /** When the latest of them is over, to the hour. */
  quarantinedAt: Date | null
}

export interface MeasuredPanel extends Made, Quarantined {
  id: string
  companyId: string
  name: string
  capacityKw: number
}

/** An installation as the finder sees it. */
export interface MeasuredInstallation {
  id: string
  companyId: string
  name: string
  /** Region and postal area: where the same weather is. */
  region: string
  address: string
  timezone: string
  /** Those that are in service. */
  panels: readonly MeasuredPanel[]
  /** What all panels made together, those that are gone too. */
  made: Made
  /** What earlier alerts leave behind, by subject. */
  earlier: ReadonlyMap<string, Earlier>
  /** Those of the last weeks, in order. */
  silences: readonly Silence[]
  /** What other installations nearby made; looked up where the weather may be the reason. */
  neighbours: readonly Made[]
}

/** A long time in which an installation sent nothing: from its last reading until newer ones were first seen. */
export interface Silence {
  beganAt: Date
  endedAt: Date | null
}

export interface Earlier {
  /** When the latest such alert was resolved: only what happened after it counts. */
  resolvedAt: Date | null
  /** Of the alert that is open. */
  usualRatio: number | null
}

export type Verdict =
  | {
      state: 'faulty'
      since: Date
      lossPercent?: number
      usualRatio?: number
      dueAt?: Date
      reason?: AnomalyReason
    }
  | { state: 'well' }
  /** What is there neither shows a fault nor that there is none. */
  | { state: 'unknown' }

export const well: Verdict = { state: 'well' }
export const unknown: Verdict = { state: 'unknown' }

export type AnomalyReason = 'impossible' | 'excessive' | 'dark' | 'stuck' | 'unit'

export interface Fault {
  type: AlertType
  /** Null: the whole installation. */
  panelId: string | null
  since: Date
  lossPercent: number | null
  usualRatio: number | null
  /** Of a gap: when readings should have come at the latest. */
  dueAt: Date | null
  /** Of an anomaly: why its readings are not believed. */
  reason: AnomalyReason | null
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** The installation's calendar at a moment. */
export interface LocalTime {
  now: Date
  /** Days since 1970. */
  today: number
  /** How many hours of today are over. */
  hoursOver: number
  startOf(day: number, hour?: number): Date
  dayOf(instant: Date): number
}

export function localTime(timezone: string, now: Date): LocalTime {
  const starts = startsOf(timezone)
  const startMs = (day: number) => {
    const known = starts.get(day)
    if (known !== undefined) return known
    const date = new Date(day * dayMs).toISOString().slice(0, 10)
    const start = Temporal.PlainDate.from(date).toZonedDateTime(timezone).epochMilliseconds
    starts.set(day, start)
    return start
  }
  const startOf = (day: number, hour = 0) => new Date(startMs(day) + hour * hourMs)
  const dayOf = (instant: Date) => {
    const ms = instant.getTime()
    // Nowhere is it further than a day from the day in UTC.
    let day = Math.floor(ms / dayMs) - 1
    while (ms >= startMs(day + 1)) day++
    return day
  }
  const today = dayOf(now)
  const hoursOver = Math.floor((now.getTime() - startMs(today)) / hourMs)
  return { now, today, hoursOver, startOf, dayOf }
}

/** By zone when its days begin: every installation of a zone asks for the same few, at every look. */
const startsByZone = new Map<string, Map<number, number>>()
const maxStarts = 1_000
/** A zone has as many names as its letters can be written small and large. */
const maxZones = 500

function startsOf(timezone: string): Map<number, number> {
  const known = startsByZone.get(timezone)
  if (known && known.size < maxStarts) return known
  const starts = new Map<number, number>()
  if (startsByZone.size >= maxZones) startsByZone.clear()
  startsByZone.set(timezone, starts)
  return starts
}

/** The hours of a day that are over. */
export function hoursOf({ hours }: Made, day: number, { today, hoursOver }: LocalTime): Hours {
  const all = day > today ? [] : (hours.get(day) ?? [])
  return day === today ? all.slice(0, hoursOver) : all
}
