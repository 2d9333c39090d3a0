import { subjectOf } from './alert.ts'
import {
  historyDays,
  hoursOf,
  type LocalTime,
  type MeasuredInstallation,
  type MeasuredPanel,
  panelHourDays,
  unknown,
  type Verdict,
  well,
} from './measured-installation.ts'
import { usualSilenceMs } from './silences.ts'
import { median } from './statistics.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** A daylight and a little more: nobody reports at night. */
const leastMs = 26 * hourMs
/** Six readings missed, or three of those that come but once or twice a day. */
const missedReadings = (intervalMs: number) => (intervalMs < 12 * hourMs ? 6 : 3)
const daysNeeded = 3
const usualOfDays = 14
/** By then the readings of the day before have come from those that send them in the night. */
const sentByHour = 12
/** What ends before this hour ended in the night. */
const nightUntilHour = 6
/** Panels that fell silent so close together have one cause. */
const togetherMs = 3 * hourMs

interface Rhythm {
  /** When the latest reading is over, to the hour. */
  lastAt: Date
  allowedMs: number
}

export interface GapVerdicts {
  installation: Verdict
  panels: Verdict[]
}

/** Panels that report no more, longer than they ever leave between readings; or all of them, which is one fault. */
export function judgeDataGaps(installation: MeasuredInstallation, time: LocalTime): GapVerdicts {
  const now = time.now.getTime()
  const rhythms = installation.panels.map((panel) => rhythmOf(panel, time))
  const known = rhythms.filter((rhythm) => rhythm !== null)
  const isSilent = ({ lastAt, allowedMs }: Rhythm) => now - lastAt.getTime() > allowedMs
  const installationLastMs = known.reduce((latest, { lastAt }) => Math.max(latest, lastAt.getTime()), 0)
  const allSilent = known.length > 0 && known.every(isSilent)

  const panels = installation.panels.map((panel, i): Verdict => {
    const rhythm = rhythms[i]
    if (!rhythm) return unknown
    if (!isSilent(rhythm)) return well
    // Silent together with the rest: the installation's fault, as soon as it is one.
    if (installationLastMs - rhythm.lastAt.getTime() <= togetherMs || allSilent) return unknown
    return silentSince(rhythm, resolvedOf(installation, panel.id), now)
  })
  const latest = known.find(({ lastAt }) => lastAt.getTime() === installationLastMs)
  if (!latest) return { installation: unknown, panels }
  if (!allSilent) return { installation: well, panels }
  const { dueMs, untilMs } = usuallyUntil(installation, latest.lastAt, time)
  if (now <= untilMs) return { installation: unknown, panels }
  const silent = silentSince(latest, resolvedOf(installation, null), now)
  const dueAt = new Date(Math.max(dueMs, latest.lastAt.getTime()))
  return { installation: silent.state === 'faulty' ? { ...silent, dueAt } : silent, panels }
}

interface Expected {
  /** When readings usually come. */
  dueMs: number
  /** Until when nothing is said. */
  untilMs: number
}

/** Half as long again as it usually is silent; where that was not seen yet, for as long as it may send once a night. */
function usuallyUntil(installation: MeasuredInstallation, lastAt: Date, time: LocalTime): Expected {
  const usualMs = usualSilenceMs(installation.silences, lastAt)
  if (usualMs !== null)
    return { dueMs: lastAt.getTime() + usualMs, untilMs: lastAt.getTime() + usualMs * 1.5 }
  const untilMs = nextNightly(installation, lastAt, time)
  return { dueMs: untilMs, untilMs }
}

/**
 * Until when silence is usual for a logger that sends once a night: it then begins in the night, or where the day's
 * readings usually end, and lasts over a whole day and the night after it.
 */
function nextNightly(installation: MeasuredInstallation, lastAt: Date, time: LocalTime): number {
  const day = time.dayOf(new Date(lastAt.getTime() - 1))
  const endHour = (lastAt.getTime() - time.startOf(day).getTime()) / hourMs
  if (endHour <= nightUntilHour) return time.startOf(day + 1, sentByHour).getTime()
  // An hour earlier on a dull day.
  if (endHour >= usualEndHour(installation, time) - 1) return time.startOf(day + 2, sentByHour).getTime()
  return 0
}

/** How many hours of a day are over when its last reading usually is. */
function usualEndHour({ made }: MeasuredInstallation, { today }: LocalTime): number {
  const ends: number[] = []
  for (let day = today - usualOfDays; day < today; day++) {
    const end = (made.hours.get(day) ?? []).findLastIndex((kwh) => kwh !== null) + 1
    if (end > 0) ends.push(end)
  }
  return ends.length === 0 ? 0 : median(ends)
}

function silentSince({ lastAt, allowedMs }: Rhythm, resolvedAt: Date | null, now: number): Verdict {
  const from = Math.max(lastAt.getTime(), resolvedAt?.getTime() ?? 0)
  return now - from > allowedMs ? { state: 'faulty', since: lastAt } : unknown
}

/** Null where too little was ever reported to know what is usual. */
function rhythmOf(panel: MeasuredPanel, time: LocalTime): Rhythm | null {
  const lastAt = lastReading(panel, time)
  if (!lastAt) return null
  const reported: number[] = []
  for (let day = time.today - historyDays; day < time.today; day++)
    if ((panel.days.get(day)?.readings ?? 0) > 0) reported.push(day)
  if (reported.length < daysNeeded) return null
  const usual = reported.slice(-usualOfDays)
  const daysBetween = median(usual.slice(1).map((day, i) => day - usual[i]!))
  const readings = median(usual.map((day) => panel.days.get(day)!.readings))
  const intervalMs = daysBetween > 1 ? daysBetween * dayMs : dayMs / readings
  return { lastAt, allowedMs: Math.max(leastMs, missedReadings(intervalMs) * intervalMs) }
}

/** When the latest reading of any panel is over. */
export function lastReadingOf({ panels }: MeasuredInstallation, time: LocalTime): Date | null {
  let latest: Date | null = null
  for (const panel of panels) {
    const lastAt = lastReading(panel, time)
    if (lastAt && (latest === null || lastAt > latest)) latest = lastAt
  }
  return latest
}

/** What is in quarantine was sent, too: who sends what cannot be is not silent. */
function lastReading(panel: MeasuredPanel, time: LocalTime): Date | null {
  const counted = lastCounted(panel, time)
  const { quarantinedAt } = panel
  return quarantinedAt && (counted === null || quarantinedAt > counted) ? quarantinedAt : counted
}

function lastCounted(panel: MeasuredPanel, time: LocalTime): Date | null {
  for (let day = time.today; day > time.today - panelHourDays; day--) {
    const hour = hoursOf(panel, day, time).findLastIndex((kwh) => kwh !== null)
    if (hour >= 0) return time.startOf(day, hour + 1)
  }
  for (let day = time.today - panelHourDays; day >= time.today - historyDays; day--)
    if ((panel.days.get(day)?.readings ?? 0) > 0) return time.startOf(day + 1)
  return null
}

function resolvedOf({ earlier }: MeasuredInstallation, panelId: string | null): Date | null {
  return earlier.get(subjectOf({ type: 'data_gap', panelId }))?.resolvedAt ?? null
}
