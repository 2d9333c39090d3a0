import { subjectOf } from './alert.ts'
import {
  historyDays,
  hoursOf,
  type LocalTime,
  type MeasuredPanel,
  panelHourDays,
  type Site,
  unknown,
  type Verdict,
  well,
} from './site.ts'
import { median } from './statistics.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** A daylight and a little more: nobody reports at night. */
const leastMs = 26 * hourMs
/** Six readings missed, or three of those that come but once or twice a day. */
const missedReadings = (intervalMs: number) => (intervalMs < 12 * hourMs ? 6 : 3)
const daysNeeded = 3
const usualOfDays = 14
/** Panels that fell silent so close together have one cause. */
const togetherMs = 3 * hourMs

interface Rhythm {
  /** When the latest reading is over, to the hour. */
  lastAt: Date
  allowedMs: number
}

export interface GapVerdicts {
  site: Verdict
  panels: Verdict[]
}

/** Panels that report no more, longer than they ever leave between readings; or all of them, which is one fault. */
export function judgeDataGaps(site: Site, time: LocalTime): GapVerdicts {
  const now = time.now.getTime()
  const rhythms = site.panels.map((panel) => rhythmOf(panel, time))
  const known = rhythms.filter((rhythm) => rhythm !== null)
  const isSilent = ({ lastAt, allowedMs }: Rhythm) => now - lastAt.getTime() > allowedMs
  const siteLastMs = known.reduce((latest, { lastAt }) => Math.max(latest, lastAt.getTime()), 0)
  const allSilent = known.length > 0 && known.every(isSilent)

  const panels = site.panels.map((panel, i): Verdict => {
    const rhythm = rhythms[i]
    if (!rhythm) return unknown
    if (!isSilent(rhythm)) return well
    // Silent together with the rest: the installation's fault, as soon as it is one.
    if (siteLastMs - rhythm.lastAt.getTime() <= togetherMs || allSilent) return unknown
    return silentSince(rhythm, resolvedOf(site, panel.id), now)
  })
  const latest = known.find(({ lastAt }) => lastAt.getTime() === siteLastMs)
  if (!latest) return { site: unknown, panels }
  return { site: allSilent ? silentSince(latest, resolvedOf(site, null), now) : well, panels }
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

function lastReading(panel: MeasuredPanel, time: LocalTime): Date | null {
  for (let day = time.today; day > time.today - panelHourDays; day--) {
    const hour = hoursOf(panel, day, time).findLastIndex((kwh) => kwh !== null)
    if (hour >= 0) return time.startOf(day, hour + 1)
  }
  for (let day = time.today - panelHourDays; day >= time.today - historyDays; day--)
    if ((panel.days.get(day)?.readings ?? 0) > 0) return time.startOf(day + 1)
  return null
}

function resolvedOf({ earlier }: Site, panelId: string | null): Date | null {
  return earlier.get(subjectOf({ type: 'data_gap', panelId }))?.resolvedAt ?? null
}
