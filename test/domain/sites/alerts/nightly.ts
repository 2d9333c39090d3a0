import {
  type DayTotal,
  type Hours,
  localTime,
  type Made,
  type MeasuredInstallation,
} from '../../../../src/domain/sites/alerts/measured-installation.ts'

const latestHour = 7

/** What is there of each site: a day more every day. */
const latest = new WeakMap<MeasuredInstallation, { before: number; seen: MeasuredInstallation }>()

/** What is there of a site whose logger sends a day's readings in the night after it, at an hour that varies. */
export function sentNightly(site: MeasuredInstallation, now: Date): MeasuredInstallation {
  const { today, hoursOver } = localTime(site.timezone, now)
  const sentAtHour = (today * 5 + site.id.length * 3) % (latestHour + 1)
  const before = hoursOver >= sentAtHour ? today : today - 1
  let known = latest.get(site)
  if (!known || known.before > before) {
    const panels = site.panels.map((panel) => ({ ...panel, ...nothing() }))
    known = { before: Math.min(...site.made.days.keys()), seen: { ...site, made: nothing(), panels } }
    latest.set(site, known)
  }
  for (; known.before < before; known.before++) {
    addDay(site.made, known.seen.made, known.before)
    for (const [i, panel] of site.panels.entries()) addDay(panel, known.seen.panels[i]!, known.before)
  }
  return known.seen
}

const nothing = () => ({ days: new Map<number, DayTotal>(), hours: new Map<number, Hours>() })

function addDay(from: Made, to: Made, day: number): void {
  if (from.days.has(day)) (to.days as Map<number, DayTotal>).set(day, from.days.get(day)!)
  if (from.hours.has(day)) (to.hours as Map<number, Hours>).set(day, from.hours.get(day)!)
}
