import { type Alert, type AlertType, maxMembers, panelsOf, subjectOf, subjectsOf, worse } from './alert.ts'
import { type Description, describeFaults } from './describe-fault.ts'
import type { Findings } from './find-faults.ts'
import type { Fault, MeasuredInstallation } from './measured-installation.ts'

export interface Changes {
  /** Faults of one cause. */
  opened: (Description & { faults: Fault[]; companyId: string })[]
  /** The alert as it was, what joined it, and what is said of it now. */
  worsened: (Description & { alert: Alert; joined: Fault[] })[]
  resolved: Alert[]
}

const hourMs = 3_600_000
/** What begins so close together has one cause: a string's fuse, a tree, an update of the firmware. */
const togetherMs: Record<AlertType, number> = {
  outage: 3 * hourMs,
  data_gap: 3 * hourMs,
  underperformance: 25 * hourMs,
  anomaly: 25 * hourMs,
}

/**
 * What follows from the findings for an installation's alerts: those that are open, and those that were then, where it is
 * asked about a time before now.
 */
export function compareWithOpen(
  installation: MeasuredInstallation,
  findings: Findings,
  alerts: readonly Alert[],
  now: Date,
): Changes {
  const panels = new Map(installation.panels.map((panel) => [panel.id, panel]))
  const reported = alerts.filter(
    ({ triggeredAt, resolvedAt }) => resolvedAt === null || (triggeredAt <= now && resolvedAt > now),
  )
  const open = reported.filter(({ status }) => status !== 'resolved')
  const known = new Map([...reported, ...open].flatMap((alert) => subjectsOf(alert).map((of) => [of, alert])))
  const companyOf = ({ panelId }: Fault) =>
    panelId === null ? installation.companyId : panels.get(panelId)!.companyId
  const lasting = new Map<Alert, Fault[]>()
  const joined = new Map<Alert, Fault[]>()
  const begun: Fault[][] = []
  for (const fault of findings.faults.toSorted((a, b) => a.since.getTime() - b.since.getTime())) {
    const alert = known.get(subjectOf(fault))
    if (alert) {
      lasting.set(alert, [...(lasting.get(alert) ?? []), fault])
      continue
    }
    const isSame = (type: AlertType, companyId: string, beganAt: Date | null, size: number) =>
      type === fault.type &&
      companyId === companyOf(fault) &&
      beganAt !== null &&
      Math.abs(fault.since.getTime() - beganAt.getTime()) <= togetherMs[type] &&
      size < maxMembers
    const cause =
      fault.panelId === null
        ? undefined
        : open.find((one) => {
            const size = panelsOf(one).length
            return (
              size > 0 && isSame(one.type, one.companyId, one.beganAt, size + (joined.get(one)?.length ?? 0))
            )
          })
    if (cause) {
      joined.set(cause, [...(joined.get(cause) ?? []), fault])
      continue
    }
    const group = begun.find(
      ([first, ...more]) =>
        fault.panelId !== null &&
        first!.panelId !== null &&
        isSame(first!.type, companyOf(first!), first!.since, more.length + 1),
    )
    if (group) group.push(fault)
    else begun.push([fault])
  }
  const describe = (faults: readonly Fault[], of: readonly string[]) =>
    describeFaults(installation, faults, of, findings.faults, now)
  const idsOf = (faults: readonly Fault[]) => faults.flatMap(({ panelId }) => panelId ?? [])
  return {
    opened: begun.map((faults) => ({
      ...describe(faults, idsOf(faults)),
      faults,
      companyId: companyOf(faults[0]!),
    })),
    worsened: open.flatMap((alert) => {
      const more = joined.get(alert) ?? []
      const faults = [...(lasting.get(alert) ?? []), ...more]
      if (faults.length === 0) return []
      const described = describe(faults, [...panelsOf(alert), ...idsOf(more)])
      const isWorse = worse(described.severity, alert.severity)
      const severity = isWorse ? described.severity : alert.severity
      return isWorse || more.length > 0 ? [{ ...described, severity, alert, joined: more }] : []
    }),
    resolved: open.filter((alert) => {
      // Asked about a time before it, nothing can be said of it.
      if (alert.triggeredAt > now || joined.has(alert)) return false
      const isOver = (panelId: string | null) =>
        (panelId === null ? panels.size === 0 : !panels.has(panelId)) ||
        findings.well.has(subjectOf({ type: alert.type, panelId }))
      const members = panelsOf(alert)
      return members.length === 0 ? isOver(null) : members.every(isOver)
    }),
  }
}

export function changesNothing({ opened, worsened, resolved }: Changes): boolean {
  return opened.length + worsened.length + resolved.length === 0
}
