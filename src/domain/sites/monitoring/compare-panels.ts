import type { Context } from '../../kernel/context.ts'
import { dayIn } from '../../kernel/days.ts'
import { listing } from '../../kernel/listing.ts'
import { median } from '../alerts/statistics.ts'
import { dayOf, dayText } from '../energy/local-time.ts'
import { listPanelsMade, type PanelMade } from './installation-queries.ts'
import { rangeOf } from './read-series.ts'
import { requireInstallation } from './require-installation.ts'

/** A panel beside its siblings. */
export interface ComparedPanel extends PanelMade {
  /** kWh for each kW and day with readings; null where there are none. */
  yield: number | null
  /** Of what the panel in the middle makes, in percent. */
  percent: number | null
  /** Whether it makes so much less than its siblings that somebody should look. */
  odd: boolean
}

export interface Comparison {
  from: string
  to: string
  panels: ComparedPanel[]
  /** Whether the installation has more panels than are compared. */
  more: boolean
}

const maxPanels = 500
const maxDays = 92
const oddBelowPercent = 85
const fewestSiblings = 2
/** For panels whose capacity nobody stated, as the finder of faults has it. */
const assumedKw = 0.4

/** What each panel of an installation made in a range, or in the last three months of it, for its size. */
export const comparePanels = listing(
  'anything',
  async (ctx: Context, id: string, wanted: { from: string; to: string }): Promise<Comparison> => {
    const asked = rangeOf({ ...wanted, granularity: 'daily' })
    const { timezone } = await requireInstallation(ctx, id)
    const last = Math.min(asked.last, dayOf(dayIn(timezone, ctx.now)))
    const range = { first: Math.min(last, Math.max(asked.first, last - maxDays + 1)), last }
    const installation = { installerId: ctx.actor.installerId, installationId: id }
    const found = await listPanelsMade(ctx.db, installation, range, maxPanels + 1)
    const panels = found.slice(0, maxPanels)
    return {
      from: dayText(range.first),
      to: dayText(range.last),
      panels: compared(panels),
      more: found.length > maxPanels,
    }
  },
)

function compared(panels: readonly PanelMade[]): ComparedPanel[] {
  const yields = panels.map(({ kwh, days, capacityKw }) =>
    days === 0 ? null : kwh / days / (capacityKw > 0 ? capacityKw : assumedKw),
  )
  const known = panels.flatMap(({ status }, i) =>
    status === 'active' && yields[i] !== null ? [yields[i]!] : [],
  )
  const middle = known.length > fewestSiblings ? median(known) : 0
  return panels.map((panel, i) => {
    const made = yields[i]!
    const percent = made === null || middle === 0 ? null : Math.round((100 * made) / middle)
    const isWeak = panel.status === 'active' && percent !== null && percent < oddBelowPercent
    return { ...panel, yield: made, percent, odd: isWeak || panel.alertId !== null }
  })
}
