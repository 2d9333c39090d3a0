import { type AlertType, subjectOf } from './alert.ts'
import { judgeDataGaps } from './data-gap.ts'
import { hourlyYields, judgeOutage, judgeSiteOutage } from './outage.ts'
import { type Fault, localTime, type Site, unknown, type Verdict } from './site.ts'
import { judgeSiteUnderperformance, judgeUnderperformance } from './underperformance.ts'
import { dailyYields } from './yields.ts'

export interface Findings {
  faults: Fault[]
  /** Subjects that are shown to be well; what is in neither cannot be said. */
  well: Set<string>
}

/** What is wrong with an installation and its panels at a time, from what was known of them by then. */
export function findFaults(site: Site, now: Date): Findings {
  const findings: Findings = { faults: [], well: new Set() }
  if (site.panels.length === 0) return findings
  const time = localTime(site.timezone, now)
  const days = dailyYields(site, time)
  const hours = hourlyYields(site, time)
  const gaps = judgeDataGaps(site, time)

  const note = (type: AlertType, panelId: string | null, verdict: Verdict) => {
    if (verdict.state === 'well') findings.well.add(subjectOf({ type, panelId }))
    if (verdict.state !== 'faulty') return
    const { since, lossPercent = null, usualRatio = null } = verdict
    findings.faults.push({ type, panelId, since, lossPercent, usualRatio })
  }
  const siteOutage = judgeSiteOutage(site, days, time)
  note('outage', null, siteOutage)
  note('data_gap', null, gaps.site)
  for (const [i, panel] of site.panels.entries()) {
    const gap = gaps.panels[i]!
    const outage = judgeOutage(site, panel, i, hours, days, time)
    note('data_gap', panel.id, gap)
    note('outage', panel.id, outage)
    // What makes nothing, or says nothing, is not weak besides.
    const silent = gap.state === 'faulty' || gaps.site.state === 'faulty' || outage.state === 'faulty'
    const weakness = judgeUnderperformance(site, panel, i, days, time)
    note('underperformance', panel.id, silent && weakness.state === 'faulty' ? unknown : weakness)
  }
  // Where a part is known to be at fault, the whole making less is no news.
  const asWhole = findings.faults.length === 0 ? judgeSiteUnderperformance(site, time) : unknown
  note('underperformance', null, asWhole)
  return findings
}
