import type { Db } from '../../../platform/db.ts'
import { coverageByPanel, percentOf } from '../../sites/energy/completeness.ts'
import { dayOf } from '../../sites/energy/local-time.ts'
import { countWaitingBetween } from '../../sites/energy/quarantine-queries.ts'
import type { BillingPlan, Segment } from '../plans/plan.ts'
import type { BilledInstallation, PlannedInstallation } from '../plans/plan-queries.ts'
import type { Drift } from './compose-month.ts'
import { listDrifts } from './month-queries.ts'

/** How much of the data of a period is there. */
interface MonthData {
  percent: number
  /** What is missing, in words; null where it is enough for the plan. */
  lack: string | null
  /** By how much what was measured on some days falls short of all, by each panel's size; null: nothing was measured. */
  missingPart(segment: Segment): number | null
}

const whole: MonthData = { percent: 100, lack: null, missingPart: () => 0 }
const namedPanels = 3

/** How complete the readings of a period are, which lies in one month. What bills no energy needs none. */
export async function readMonthData(
  db: Db,
  plan: BillingPlan,
  { id, region, timezone }: BilledInstallation,
  [firstDay, lastDay]: readonly [string, string],
): Promise<MonthData> {
  if (plan.kind !== 'ppa') return whole
  const first = dayOf(firstDay)
  const last = dayOf(lastDay)
  const panels = await coverageByPanel(db, plan.installerId, { id, region, timezone }, { first, last })
  const sums = panels.map(({ panel, hours }) => ({
    name: panel.name,
    expected: hours.reduce((sum, one) => sum + one.expected, 0),
    covered: hours.reduce((sum, one) => sum + one.covered, 0),
  }))
  const percent = percentOf({
    expected: sums.reduce((sum, one) => sum + one.expected, 0),
    covered: sums.reduce((sum, one) => sum + one.covered, 0),
  })
  const needed = Number(plan.completenessPercent)
  const waiting =
    percent < needed ? await countWaitingBetween(db, plan.installerId, id, first, last + 1, timezone) : 0
  return {
    percent,
    lack: percent < needed ? lackText(percent, needed, sums, waiting) : null,
    missingPart(segment) {
      let expected = 0
      let covered = 0
      for (const { panel, hours } of panels) {
        for (let day = dayOf(segment.firstDay); day <= dayOf(segment.lastDay); day++) {
          // What a panel without a size makes is like what the others do.
          const size = panel.capacityKw || 1
          expected += size * hours[day - first]!.expected
          covered += size * hours[day - first]!.covered
        }
      }
      return covered === 0 ? null : (expected - covered) / covered
    },
  }
}

interface PanelSum {
  name: string
  expected: number
  covered: number
}

function lackText(percent: number, needed: number, panels: readonly PanelSum[], waiting: number): string {
  const parts = [`${percent}% of the daylight readings received, ${needed}% needed`]
  const short = panels
    .filter((panel) => percentOf(panel) < needed)
    .toSorted((a, b) => a.covered / a.expected - b.covered / b.expected)
  const named = short.slice(0, namedPanels).map((panel) => `${panel.name} sent ${percentOf(panel)}%`)
  if (named.length > 0) {
    const more =
      short.length > namedPanels ? ` and ${short.length - namedPanels} more panels less than needed` : ''
    parts.push(named.join(', ') + more)
  }
  if (panels.length === 0) parts.push('no panel was there')
  if (waiting > 0) parts.push(`${waiting} quarantined ${waiting === 1 ? 'reading waits' : 'readings wait'}`)
  return parts.join('; ')
}

/** What was measured since other than it was billed; an estimate stands until enough has come in to replace it. */
export async function settledDrifts(
  db: Db,
  { plan, installation }: PlannedInstallation,
  without: string,
): Promise<Drift[]> {
  const settled: Drift[] = []
  for (const drift of await listDrifts(db, { ...plan, without })) {
    const isOpen =
      drift.estimated !== 0 &&
      (await readMonthData(db, plan, installation, [drift.firstDay, drift.lastDay])).lack !== null
    if (!isOpen) settled.push(drift)
  }
  return settled
}
