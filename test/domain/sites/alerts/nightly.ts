import { localTime, type Made, type Site } from '../../../../src/domain/sites/alerts/site.ts'

const latestHour = 7

/** What is there of a site whose logger sends a day's readings in the night after it, at an hour that varies. */
export function sentNightly(site: Site, now: Date): Site {
  const { today, hoursOver } = localTime(site.timezone, now)
  const sentAtHour = (today * 5 + site.id.length * 3) % (latestHour + 1)
  const before = hoursOver >= sentAtHour ? today : today - 1
  return {
    ...site,
    made: until(site.made, before),
    panels: site.panels.map((panel) => ({ ...panel, ...until(panel, before) })),
  }
}

function until({ days, hours }: Made, before: number): Made {
  return {
    days: new Map([...days].filter(([day]) => day < before)),
    hours: new Map([...hours].filter(([day]) => day < before)),
  }
}
