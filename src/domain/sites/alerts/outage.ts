import { subjectOf } from './alert.ts'
import {
  historyDays,
  hoursOf,
  installationHourDays,
  type LocalTime,
  type MeasuredInstallation,
  type MeasuredPanel,
  panelHourDays,
  unknown,
  type Verdict,
  well,
} from './measured-installation.ts'
import { darkHours, darkYesterday, litDays } from './neighbourhood.ts'
import { median, quantile, quantileOf, sorted } from './statistics.ts'
import { type DayYields, type HourlyYields, kwOf, siblingsOf } from './yields.ts'

// Out is what reports, and reports nothing made, while there is sun. What does not report is a data gap.
const deadHours = 4
const dead = 0.02
const alive = 0.1
/** An hour is bright when siblings make this part of their capacity: thick clouds at noon leave as much. */
const brightKwPerKw = 0.05
const brightDayKwhPerKw = 0.1
/** What makes more is not out, whatever its siblings seem to make. */
const maxOfDead = { kwPerKw: 0.01, dayKwhPerKw: 0.05 }
// Under a dark sky snow may have come. It leaves one panel after the other.
const darkSky = 0.04
const sunnyDaysToMelt = 3

interface BrightHour {
  day: number
  hour: number
  dead: boolean
  /** As much as is usual at that hour, more or less. */
  full: boolean
}

/** A panel that makes nothing while its siblings do. */
export function judgeOutage(
  installation: MeasuredInstallation,
  panel: MeasuredPanel,
  index: number,
  hours: readonly HourlyYields[],
  days: readonly DayYields[],
  time: LocalTime,
): Verdict {
  const bright: BrightHour[] = []
  for (const { day, of, producing } of hours) {
    const own = of[index]!
    for (let hour = 0; hour < own.length; hour++) {
      const made = own[hour]!
      if (made === null) continue
      const { middle, count } = siblingsOf(producing[hour]!, made)
      if (count > 0 && middle >= brightKwPerKw)
        bright.push({ day, hour, dead: made <= Math.min(dead * middle, maxOfDead.kwPerKw), full: false })
    }
  }
  const resolvedAt = resolvedOf(installation, panel.id)
  const byHour = judgeHours(bright, resolvedAt, time)
  if (byHour.state === 'well') return well

  const from = resolvedAt ? time.dayOf(resolvedAt) + 1 : 0
  const isDead = ({ day, of, producing }: DayYields): boolean | null => {
    const made = of[index]!
    const { middle, count } = siblingsOf(producing, made)
    if (day < from || Number.isNaN(made) || count === 0 || middle < brightDayKwhPerKw) return null
    if (made <= Math.min(dead * middle, maxOfDead.dayKwhPerKw)) return true
    return made >= Math.min(alive * middle, maxOfDead.dayKwhPerKw) ? false : null
  }
  const yesterday = days.at(-1)
  const byDay = yesterday ? isDead(yesterday) : null
  if (byHour.state === 'unknown' && byDay !== true) return byDay === false ? well : unknown
  // It may be out for longer than hours are looked at.
  let since = byHour.state === 'faulty' ? byHour.since : time.startOf(yesterday!.day)
  for (const day of days.toReversed()) {
    const was = isDead(day)
    if (was === false) break
    if (was && time.startOf(day.day) < since) since = time.startOf(day.day)
  }
  return maySnowLie(days, time.dayOf(since)) ? unknown : { state: 'faulty', since }
}

/** Whether it went out under a dark sky, and too few sunny days have passed since to have melted what may lie there. */
function maySnowLie(days: readonly DayYields[], wentOut: number): boolean {
  const wasDark = days.some(({ day, light }) => (day === wentOut || day === wentOut - 1) && light < darkSky)
  return wasDark && days.filter(({ day, sunny }) => day > wentOut && sunny).length < sunnyDaysToMelt
}

/** Dead for the last bright hours: but those hours of the day at which it was dead before and came back say nothing. */
function judgeHours(all: readonly BrightHour[], resolvedAt: Date | null, time: LocalTime): Verdict {
  const bright = resolvedAt ? all.filter((h) => time.startOf(h.day, h.hour) >= resolvedAt) : all
  if (bright.length === 0) return unknown
  const run = bright.slice(bright.findLastIndex((hour) => !hour.dead) + 1)
  if (run.length === 0) return well
  const lastAlive = all.findLastIndex((hour) => !hour.dead)
  const dark = new Set(all.slice(0, Math.max(lastAlive, 0)).flatMap((h) => (h.dead ? [h.hour] : [])))
  if (run.filter(({ hour }) => !dark.has(hour)).length < deadHours) return unknown
  return { state: 'faulty', since: time.startOf(run[0]!.day, run[0]!.hour) }
}

// A whole installation is held against its own past: at hours that were bright on each of the days before, even
// thick clouds leave more than a hundredth.
const deadInstallation = 0.01
const neverThatDark = 0.04
const brightPart = 0.3
const full = 0.6
const pastNeeded = 7

export function judgeInstallationOutage(
  installation: MeasuredInstallation,
  days: readonly DayYields[],
  time: LocalTime,
): Verdict {
  const verdict = judgeByOwnPast(installation, days, time)
  return verdict.state === 'unknown' ? judgeBesideNeighbours(installation, time) : verdict
}

// What goes out under snow makes nothing before it, so to say: weeks later its own past tells nothing any more. Its
// neighbours do, once they have been free of it for long enough that it has melted on roofs to the north too.
const litDaysToMelt = 5

/** The days, yesterday last, on which it made nothing by the measure of its good days; no longer than is looked at. */
export function deadDays({ made }: MeasuredInstallation, { today }: LocalTime): number[] {
  const before = lastDays(today - 1, historyDays)
  const good = quantile(
    before.flatMap((day) => made.days.get(day)?.kwh ?? []),
    0.9,
  )
  const lastAlive = before.findLastIndex((day) => {
    const total = made.days.get(day)
    return !total || total.readings === 0 || total.kwh > deadInstallation * good
  })
  return good > 0 ? before.slice(lastAlive + 1) : []
}

function judgeBesideNeighbours(installation: MeasuredInstallation, time: LocalTime): Verdict {
  const resolvedAt = resolvedOf(installation, null)
  const out = deadDays(installation, time).filter((day) => !resolvedAt || time.startOf(day) >= resolvedAt)
  return litDays(installation, out, time.today).length >= litDaysToMelt
    ? { state: 'faulty', since: time.startOf(out[0]!) }
    : unknown
}

function judgeByOwnPast(
  installation: MeasuredInstallation,
  days: readonly DayYields[],
  time: LocalTime,
): Verdict {
  const resolvedAt = resolvedOf(installation, null)
  const { today } = time
  const past = lastDays(today - panelHourDays, installationHourDays - panelHourDays).map((day) =>
    hoursOf(installation.made, day, time),
  )
  const usual = Array.from({ length: 25 }, (_, hour) => usualHour(past.map((hours) => hours[hour] ?? null)))
  const peak = usual.reduce((most, { middle }) => Math.max(most, middle), 0)
  const bright: BrightHour[] = []
  for (const day of lastDays(today, panelHourDays)) {
    const panels = installation.panels.map((panel) => hoursOf(panel, day, time))
    for (const [hour, { middle, least }] of usual.entries()) {
      if (middle < brightPart * peak || least <= dead * middle || peak === 0) continue
      const made = reported(panels.map((hours) => hours[hour] ?? null))
      if (made === null) continue
      bright.push({ day, hour, dead: made <= deadInstallation * middle, full: made >= full * middle })
    }
  }
  const byHour = judgeHours(bright, resolvedAt, time)
  if (byHour.state === 'faulty') {
    const { since } = byHour
    const run = bright.filter(({ day, hour }) => time.startOf(day, hour) >= since)
    const first = bright.indexOf(run[0]!)
    return fellAtOnce(bright[first - 1], run[0]!) || !darkHours(installation, run) ? byHour : unknown
  }
  if (byHour.state === 'well') return well

  const yields = days.at(-1)!.of
  const yesterday = reported(
    installation.panels.map((panel, i) => (Number.isNaN(yields[i]) ? null : yields[i]! * kwOf(panel))),
  )
  const before = lastDays(today - 2, installationHourDays).flatMap(
    (day) => installation.made.days.get(day)?.kwh ?? [],
  )
  if (yesterday === null || before.length < pastNeeded) return unknown
  if (resolvedAt && time.startOf(today - 1) < resolvedAt) return unknown
  const middle = median(before)
  if (yesterday >= neverThatDark * middle && yesterday > 0) return well
  const unheardOf = yesterday <= deadInstallation * middle && quantile(before, 0.1) >= neverThatDark * middle
  if (!unheardOf || middle === 0 || darkYesterday(installation, today)) return unknown
  return { state: 'faulty', since: time.startOf(today - 1) }
}

/** From full light to nothing within an hour: no cloud and no snow does that. */
function fellAtOnce(before: BrightHour | undefined, first: BrightHour): boolean {
  return before?.full === true && before.day === first.day && before.hour === first.hour - 1
}

/** What an hour of the day brings; nothing where too little is known. */
function usualHour(past: readonly (number | null)[]): { middle: number; least: number } {
  const known = past.filter((kwh) => kwh !== null)
  if (known.length < pastNeeded) return { middle: 0, least: 0 }
  const inOrder = sorted(known)
  return { middle: quantileOf(inOrder, 0.5), least: quantileOf(inOrder, 0.1) }
}

/** What panels made together, where most of them say it. */
function reported(panels: readonly (number | null)[]): number | null {
  let [known, sum] = [0, 0]
  for (const kwh of panels) {
    if (kwh === null) continue
    known++
    sum += kwh
  }
  return known * 2 <= panels.length ? null : sum
}

function resolvedOf({ earlier }: MeasuredInstallation, panelId: string | null): Date | null {
  return earlier.get(subjectOf({ type: 'outage', panelId }))?.resolvedAt ?? null
}

function lastDays(last: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => last - count + 1 + i)
}
