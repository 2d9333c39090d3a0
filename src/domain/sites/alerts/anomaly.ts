import { subjectOf } from './alert.ts'
import {
  type AnomalyReason,
  type DayTotal,
  installationHourDays,
  type LocalTime,
  type Made,
  type MeasuredInstallation,
  type MeasuredPanel,
  panelHourDays,
  unknown,
  type Verdict,
  well,
} from './measured-installation.ts'
import { median, medianDeviation, quantileOf } from './statistics.ts'
import { type DayYields, type HourlyYields, siblingsOf, usualReadings } from './yields.ts'

// A sensor is not believed where what it says cannot be. It is told, and its siblings are judged without it.
/** So many readings of a day in quarantine, or all of those who send fewer. */
const impossibleReadings = 3
/** More than a panel ever made, while its siblings make so much less. Snow that leaves one panel free does not do that. */
const excessive = {
  ofOwnBest: 1.15,
  ofSiblings: 1.8,
  ofSiblingsWithoutPast: 3,
  days: 2,
  ofDays: 3,
  pastNeeded: 8,
}
/** kW for each kW of capacity at hours at which siblings make nothing, and usually do not. */
const dark = { made: 0.05, siblings: 0.002, siblingsAwake: 0.05, hours: 4, partOfPeak: 0.02, pastNeeded: 5 }
/** The same figure hour after hour, to the last digit. */
const stuck = { hours: 10, hoursAlone: 20, siblingsVary: 3 }
/** A small part of what siblings make, and always the same part: what is out makes nothing, or noise. */
const unit = { part: 0.02, spread: 0.2, hours: 4, brightKwPerKw: 0.05, maxKwPerKw: 1.3 }

export interface AnomalyVerdict {
  verdict: Verdict
  /** What is said of these days counts nowhere. */
  days: ReadonlySet<number>
}

/** Of each panel, whether what it sends can be believed. */
export function judgeAnomalies(
  installation: MeasuredInstallation,
  days: readonly DayYields[],
  hours: readonly HourlyYields[],
  time: LocalTime,
): AnomalyVerdict[] {
  const isDark = darkHoursOf(installation, time)
  const middles = days.map(({ producing }) => quantileOf(producing, 0.5))
  return installation.panels.map((panel, i) => {
    const found = new Map<number, AnomalyReason>()
    for (const day of excessiveDays(i, days, middles)) found.set(day, 'excessive')
    for (const yields of hours) if (isInAnotherUnit(i, yields)) found.set(yields.day, 'unit')
    for (const yields of hours) if (isStuck(i, yields)) found.set(yields.day, 'stuck')
    for (const day of darkDays(i, hours, isDark)) found.set(day, 'dark')
    for (const day of impossibleDays(panel, time)) found.set(day, 'impossible')
    const verdict = judge(installation, panel.id, found, days.at(-1)?.of[i] ?? Number.NaN, time)
    if (found.size === 0) return { verdict, days: none }
    const all = new Set(found.keys())
    if (verdict.state === 'faulty')
      for (let day = time.dayOf(verdict.since); day <= time.today; day++) all.add(day)
    return { verdict, days: all }
  })
}
const none: ReadonlySet<number> = new Set()

function judge(
  installation: MeasuredInstallation,
  panelId: string,
  found: ReadonlyMap<number, AnomalyReason>,
  yesterday: number,
  time: LocalTime,
): Verdict {
  const { today } = time
  const resolvedAt = installation.earlier.get(subjectOf({ type: 'anomaly', panelId }))?.resolvedAt
  const from = resolvedAt ? time.dayOf(resolvedAt) + 1 : 0
  const latest = found.has(today) ? today : today - 1
  const reason = found.get(latest)
  if (reason === undefined) return Number.isNaN(yesterday) ? unknown : well
  const few =
    reason === 'excessive' &&
    [...found.keys()].filter((day) => day >= from && day > latest - excessive.ofDays).length < excessive.days
  if (latest < from || few) return unknown
  let since = latest
  for (let day = latest; day >= from && day > latest - found.size * 2; day--) {
    if (found.has(day)) since = day
    else if (!found.has(day - 1)) break
  }
  return { state: 'faulty', since: time.startOf(since), reason }
}

/** Days with readings that no panel of its capacity can make: they are in quarantine. */
function impossibleDays(panel: MeasuredPanel, { today }: LocalTime): number[] {
  if (panel.quarantined.size === 0) return []
  const needed = Math.min(impossibleReadings, usualReadings(panel, today))
  const all = (day: number) => panel.quarantined.get(day) ?? 0
  return [...panel.quarantined.keys()].filter((day) => day <= today && all(day) + all(day - 1) >= needed)
}

function excessiveDays(i: number, days: readonly DayYields[], middles: readonly number[]): number[] {
  const found: number[] = []
  let ownBest = 0
  let siblingsBest = 0
  let known = 0
  for (let n = 0; n < days.length; n++) {
    const { day, of, producing } = days[n]!
    const made = of[i]!
    if (!Number.isNaN(made)) {
      const hasPast = known >= excessive.pastNeeded
      const best = hasPast ? ownBest : siblingsBest
      const times = hasPast ? excessive.ofSiblings : excessive.ofSiblingsWithoutPast
      if (best > 0 && made > excessive.ofOwnBest * best && made >= times * siblingsOf(producing, made).low) {
        found.push(day)
      } else {
        if (made > ownBest) ownBest = made
        known++
      }
    }
    if (middles[n]! > siblingsBest) siblingsBest = middles[n]!
  }
  return found
}

function isInAnotherUnit(i: number, { of, producing }: HourlyYields): boolean {
  const own = of[i]!
  const parts: number[] = []
  for (let hour = 0; hour < own.length; hour++) {
    const made = own[hour]!
    if (made === null || made === 0) continue
    // Most panels are not that weak, and need no closer look.
    if (made > unit.part * unit.maxKwPerKw) return false
    const { middle } = siblingsOf(producing[hour]!, made)
    if (middle >= unit.brightKwPerKw && middle <= unit.maxKwPerKw) parts.push(made / middle)
  }
  if (parts.length < unit.hours) return false
  const part = median(parts)
  return part > 0 && part < unit.part && medianDeviation(parts) < unit.spread * part
}

function isStuck(i: number, { of, producing }: HourlyYields): boolean {
  const own = of[i]!
  let [last, first, length]: [number | null, number, number] = [null, 0, 0]
  for (let hour = 0; hour < own.length; hour++) {
    const made = own[hour]!
    if (made === null) continue
    if (made !== last) [last, first, length] = [made, hour, 0]
    length++
    if (made === 0 || length < stuck.hours) continue
    const others: number[] = []
    for (let at = first; at <= hour; at++)
      if (own[at] !== null) others.push(siblingsOf(producing[at]!, made).middle || 0)
    const vary = Math.max(...others) > stuck.siblingsVary * Math.min(...others)
    if (vary || length >= stuck.hoursAlone) return true
  }
  return false
}

function darkDays(i: number, hours: readonly HourlyYields[], isDark: readonly boolean[]): number[] {
  const inTheDark = ({ of }: HourlyYields) => {
    const own = of[i]!
    const found: number[] = []
    for (let hour = 0; hour < own.length; hour++)
      if (isDark[hour] && own[hour] !== null && own[hour]! >= dark.made) found.push(hour)
    return found
  }
  const suspicious = hours.filter((yields) => inTheDark(yields).length >= dark.hours)
  if (suspicious.length === 0) return []
  const siblings = ({ of }: HourlyYields, hour: number) =>
    median(of.flatMap((made, n) => (n === i ? [] : (made[hour] ?? []))))
  // From siblings that are out nobody can tell that it is dark.
  const awake = hours.some((yields) =>
    yields.producing.some((_, hour) => siblings(yields, hour) >= dark.siblingsAwake),
  )
  if (!awake) return []
  return suspicious
    .filter((yields) => {
      const alone = inTheDark(yields).filter((hour) => siblings(yields, hour) <= dark.siblings)
      return alone.length >= dark.hours
    })
    .map(({ day }) => day)
}

/** At which hours of the day the installation makes no more than one panel would that sends nonsense. */
function darkHoursOf({ made, panels }: MeasuredInstallation, { today }: LocalTime): boolean[] {
  const usual = Array.from({ length: 25 }, (_, hour) => {
    const known: number[] = []
    for (let day = today - installationHourDays; day <= today - panelHourDays; day++) {
      const kwh = made.hours.get(day)?.[hour] ?? null
      if (kwh !== null) known.push(kwh)
    }
    return known.length < dark.pastNeeded ? Number.NaN : median(known)
  })
  const peak = Math.max(0, ...usual.filter((kwh) => !Number.isNaN(kwh)))
  const maxShare = panels.length < 4 ? dark.partOfPeak : 1.2 / panels.length
  return usual.map((kwh) => kwh <= maxShare * peak)
}

/** The installation without what is not believed: neither of the panel, nor in what all of them made together. */
export function believed(
  installation: MeasuredInstallation,
  disbelief: readonly AnomalyVerdict[],
): MeasuredInstallation {
  if (disbelief.every(({ days }) => days.size === 0)) return installation
  const nonsense = new Map<number, DayTotal>()
  const panels = installation.panels.map((panel, i) => {
    const { days: not } = disbelief[i]!
    if (not.size === 0) return panel
    for (const day of not) {
      const { kwh = 0, readings = 0 } = panel.days.get(day) ?? {}
      const sum = nonsense.get(day)
      nonsense.set(day, { kwh: (sum?.kwh ?? 0) + kwh, readings: (sum?.readings ?? 0) + readings })
    }
    const without = <T>(all: ReadonlyMap<number, T>) => new Map([...all].filter(([day]) => !not.has(day)))
    return { ...panel, days: without(panel.days), hours: without(panel.hours) }
  })
  return { ...installation, panels, made: lessOf(installation.made, nonsense) }
}

/** Hours are less by the part that the day is: of a panel only those of the last days are known. */
function lessOf(made: Made, nonsense: ReadonlyMap<number, DayTotal>): Made {
  const days = new Map(made.days)
  const hours = new Map(made.hours)
  for (const [day, less] of nonsense) {
    const total = days.get(day)
    if (!total || total.kwh === 0) continue
    const kwh = Math.max(0, total.kwh - less.kwh)
    days.set(day, { kwh, readings: Math.max(0, total.readings - less.readings) })
    const part = kwh / total.kwh
    const ofDay = hours.get(day)
    if (ofDay)
      hours.set(
        day,
        ofDay.map((one) => (one === null ? null : one * part)),
      )
  }
  return { days, hours }
}
