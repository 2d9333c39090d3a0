import type { Alert, Severity } from './alert.ts'
import { type Fault, localTime, type Site } from './site.ts'
import { kwOf } from './yields.ts'

const dayMs = 86_400_000

export type Description = Pick<Alert, 'severity' | 'title' | 'description' | 'recommendedAction'>

/** What a fault means and what to do about it, in words; how bad it is by how much and how long. */
export function describeFault(site: Site, fault: Fault, all: readonly Fault[], now: Date): Description {
  const severity = severityOf(site, fault, all, (now.getTime() - fault.since.getTime()) / dayMs)
  return { severity, ...words(site, fault) }
}

function severityOf(site: Site, fault: Fault, all: readonly Fault[], days: number): Severity {
  const { type, panelId, lossPercent } = fault
  if (panelId === null) return type === 'underperformance' ? 'high' : 'critical'
  if (type === 'outage') return days >= 3 || partOut(site, all) >= 0.25 ? 'high' : 'medium'
  if (type === 'data_gap') return days >= 14 ? 'high' : days >= 3 ? 'medium' : 'low'
  const loss = lossPercent ?? 0
  if (loss >= 50) return 'high'
  if (loss >= 25) return days >= 14 ? 'high' : 'medium'
  return days >= 14 ? 'medium' : 'low'
}

/** The part of an installation's capacity that is out. */
function partOut({ panels }: Site, all: readonly Fault[]): number {
  const out = new Set(all.filter(({ type }) => type === 'outage').map(({ panelId }) => panelId))
  const kw = (some: typeof panels) => some.reduce((sum, panel) => sum + kwOf(panel), 0)
  return kw(panels.filter(({ id }) => out.has(id))) / kw(panels)
}

function words(
  site: Site,
  { type, panelId, since, lossPercent, usualRatio }: Fault,
): Omit<Description, 'severity'> {
  const name =
    panelId === null ? site.name : (site.panels.find(({ id }) => id === panelId)?.name ?? 'A panel')
  const from = localText(site, since)
  switch (type) {
    case 'outage':
      return panelId === null
        ? {
            title: `${name}: the whole installation makes nothing`,
            description: `All panels of ${name} have reported no output since ${from}, at hours at which the installation has always made some.`,
            recommendedAction:
              'Check the main breaker, the grid connection and the inverter’s display for a fault code. Where snow may cover the panels, look again once it has gone.',
          }
        : {
            title: `${name} makes nothing`,
            description: `${name} of ${site.name} has reported no output since ${from}, while its siblings made energy.`,
            recommendedAction:
              'Check the panel’s microinverter or optimizer, its connectors and its string’s fuse. If several panels of a string are out, begin with the string.',
          }
    case 'data_gap':
      return panelId === null
        ? {
            title: `${name}: no data from the whole installation`,
            description: `No panel of ${name} has reported since ${from}. Whether it makes energy cannot be told.`,
            recommendedAction:
              'Check the gateway’s power and internet connection. If both are well, check whether the installation itself is without power.',
          }
        : {
            title: `${name} no longer reports`,
            description: `${name} of ${site.name} has not reported since ${from}, longer than it usually leaves between readings.`,
            recommendedAction:
              'Check the panel’s link to the gateway: signal, pairing and the power of its communication unit.',
          }
    case 'underperformance':
      return panelId === null
        ? {
            title: `${name}: the installation makes ${lossPercent} % less than a year ago`,
            description: `Even the best day of ${name} since ${from} brought ${lossPercent} % less than good days of the same season a year ago.`,
            recommendedAction:
              'Compare with the inverter’s own figures, then check for a string that is out, new shade and dirt.',
          }
        : {
            title: `${name} makes ${lossPercent} % less than it should`,
            description: `Since ${from} ${name} of ${site.name} has made ${lossPercent} % less than its siblings’ output leads to expect${usual(usualRatio)}.`,
            recommendedAction:
              'Look for dirt, new shade and damage on the panel; clean it, then check its connectors and bypass diodes.',
          }
  }
}

function usual(ratio: number | null): string {
  return ratio === null || Math.abs(ratio - 1) < 0.05
    ? ''
    : ` (it usually makes ${Math.round(ratio * 100)} % of what they make)`
}

function localText({ timezone }: Site, instant: Date): string {
  const { today, startOf } = localTime(timezone, instant)
  const day = new Date(today * dayMs).toISOString().slice(0, 10)
  const ms = instant.getTime() - startOf(today).getTime()
  return ms === 0 ? day : `${day} ${String(Math.floor(ms / 3_600_000)).padStart(2, '0')}:00`
}
