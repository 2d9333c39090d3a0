import { type Alert, subjectOf, worse } from './alert.ts'
import { type Description, describeFault } from './describe-fault.ts'
import type { Findings } from './find-faults.ts'
import type { Fault, Site } from './site.ts'

export interface Changes {
  opened: (Description & { fault: Fault; companyId: string })[]
  /** The alert as it was, and what is said of it now. */
  worsened: (Description & { alert: Alert })[]
  resolved: Alert[]
}

/**
 * What follows from the findings for a site's alerts: those that are open, and those that were then, where it is
 * asked about a time before now.
 */
export function compareWithOpen(
  site: Site,
  findings: Findings,
  alerts: readonly Alert[],
  now: Date,
): Changes {
  const panels = new Map(site.panels.map((panel) => [panel.id, panel]))
  const told = alerts.filter(
    ({ triggeredAt, resolvedAt }) => resolvedAt === null || (triggeredAt <= now && resolvedAt > now),
  )
  const open = told.filter(({ status }) => status !== 'resolved')
  const known = new Map([...told, ...open].map((alert) => [subjectOf(alert), alert]))
  const changes: Changes = { opened: [], worsened: [], resolved: [] }
  for (const fault of findings.faults) {
    const described = describeFault(site, fault, findings.faults, now)
    const alert = known.get(subjectOf(fault))
    if (!alert) {
      const companyId = fault.panelId === null ? site.companyId : panels.get(fault.panelId)!.companyId
      changes.opened.push({ ...described, fault, companyId })
    } else if (alert.status !== 'resolved' && worse(described.severity, alert.severity)) {
      changes.worsened.push({ ...described, alert })
    }
  }
  changes.resolved = open.filter((alert) => {
    // Asked about a time before it, nothing can be said of it.
    if (alert.triggeredAt > now) return false
    const inService = alert.panelId === null ? panels.size > 0 : panels.has(alert.panelId)
    return !inService || findings.well.has(subjectOf(alert))
  })
  return changes
}

export function changesNothing({ opened, worsened, resolved }: Changes): boolean {
  return opened.length + worsened.length + resolved.length === 0
}
