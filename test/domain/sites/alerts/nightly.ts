import {
  localTime,
  type Made,
  type MeasuredInstallation,
} from '../../../../src/domain/sites/alerts/measured-installation.ts'

const latestHour = 7

/** A site changes once a day: until then it is looked at as it was. */
const latest = new WeakMap<MeasuredInstallation, { before: number; seen: MeasuredInstallation }>()

/** What is there of a site whose logger sends a day's readings in the night after it, at an hour that varies. */
export function sentNightly(site: MeasuredInstallation, now: Date): MeasuredInstallation {
  const { today, hoursOver } = localTime(site.timezone, now)
  const sentAtHour = (today * 5 + site.id.length * 3) % (latestHour + 1)
  const before = hoursOver >= sentAtHour ? today : today - 1
  const known = latest.get(site)
  if (known?.before === before) return known.seen
  const panels = site.panels.map((panel) => ({ ...panel, ...until(panel, before) }))
  const seen = { ...site, made: until(site.made, before), panels }
  latest.set(site, { before, seen })
  return seen
}

function until({ days, hours }: Made, before: number): Made {
  return {
    days: new Map([...days].filter(([day]) => day < before)),
    hours: new Map([...hours].filter(([day]) => day < before)),
  }
}
