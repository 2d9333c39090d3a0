import { type AlertType, subjectOf } from './alert.ts'
import { believed, judgeAnomalies } from './anomaly.ts'
import { judgeDataGaps } from './data-gap.ts'
import {
  type Fault,
  localTime,
  type MeasuredInstallation,
  unknown,
  type Verdict,
} from './measured-installation.ts'
import { deadDays, judgeInstallationOutage, judgeOutage } from './outage.ts'
import { judgeInstallationUnderperformance, judgeUnderperformance } from './underperformance.ts'
import { dailyYields, hourlyYields } from './yields.ts'

export interface Findings {
  faults: Fault[]
  /** Subjects that are shown to be well; what is in neither cannot be said. */
  well: Set<string>
  /** Whether neighbours should be asked: the sky may be the reason for what was found of the whole, or hides it. */
  asksNeighbours: boolean
}

/** What is wrong with an installation and its panels at a time, from what was known of them by then. */
export function findFaults(all: MeasuredInstallation, now: Date): Findings {
  const findings: Findings = { faults: [], well: new Set(), asksNeighbours: false }
  if (all.panels.length === 0) return findings
  const time = localTime(all.timezone, now)
  const gaps = judgeDataGaps(all, time)
  const allDays = dailyYields(all, time)
  const allHours = hourlyYields(all, time)
  const anomalies = judgeAnomalies(all, allDays, allHours, time)
  // Nobody is held against what is not believed.
  const installation = believed(all, anomalies)
  const days = installation === all ? allDays : dailyYields(installation, time)
  const hours = installation === all ? allHours : hourlyYields(installation, time)

  const note = (type: AlertType, panelId: string | null, verdict: Verdict) => {
    if (verdict.state === 'well') findings.well.add(subjectOf({ type, panelId }))
    if (verdict.state !== 'faulty') return
    const { since, lossPercent = null, usualRatio = null, dueAt = null, reason = null } = verdict
    findings.faults.push({ type, panelId, since, lossPercent, usualRatio, dueAt, reason })
  }
  const wholeOutage = judgeInstallationOutage(installation, days, time)
  note('outage', null, wholeOutage)
  note('data_gap', null, gaps.installation)
  for (const [i, panel] of installation.panels.entries()) {
    const gap = gaps.panels[i]!
    const { verdict: anomaly } = anomalies[i]!
    const outage = judgeOutage(installation, panel, i, hours, days, time)
    note('data_gap', panel.id, gap)
    note('anomaly', panel.id, anomaly)
    note('outage', panel.id, anomaly.state === 'faulty' && outage.state === 'faulty' ? unknown : outage)
    // What makes nothing, says nothing or cannot be believed is not weak besides.
    const silent = [gap, gaps.installation, outage, anomaly].some(({ state }) => state === 'faulty')
    const weakness = judgeUnderperformance(installation, panel, i, days, time)
    note('underperformance', panel.id, silent && weakness.state === 'faulty' ? unknown : weakness)
  }
  // Where a part is known to be at fault, the whole making less is no news.
  const asWhole =
    findings.faults.length === 0 ? judgeInstallationUnderperformance(installation, time) : unknown
  note('underperformance', null, asWhole)
  findings.asksNeighbours =
    deadDays(installation, time).length > 0 ||
    findings.faults.some(({ type, panelId }) => panelId === null && type !== 'data_gap')
  return findings
}
