import { subjectOf } from './alert.ts'
import {
  type DayTotal,
  daysInYear,
  type LocalTime,
  type MeasuredInstallation,
  type MeasuredPanel,
  seasonDays,
  unknown,
  type Verdict,
  well,
} from './measured-installation.ts'
import { seasonPart } from './neighbourhood.ts'
import { median, quantile } from './statistics.ts'
import { type DayYields, siblingsOf } from './yields.ts'

// A panel is compared with its siblings on the same days, and what it then makes of theirs with what it usually
// does: one that is always in a chimney's shade is as usual, and clouds are over all of them.
const weak = { days: 3, below: 0.75 }
/** A smaller loss needs more days: dirt that grows slowly. */
const weaker = { days: 7, below: 0.82 }
/** Without a past of its own a panel is taken to be like its siblings, but not quite. */
const weakWithoutPast = { days: 3, below: 0.7 }
const wellAgain = { days: 2, from: 0.88 }
const evidenceWithinDays = 21
const pastNeeded = 8
/** High, so that weak days that are not told yet do not make a panel seem weaker by nature. */
const usualQuantile = 0.75
/** What makes less than this is out, not weak. */
const dead = 0.02
const hopeless = 0.2
/** A panel that seemed better than this was compared with siblings that were weak themselves. */
const maxUsual = 1.1

interface Judged {
  day: number
  ratio: number
  siblings: number
}

export function judgeUnderperformance(
  installation: MeasuredInstallation,
  panel: MeasuredPanel,
  index: number,
  days: readonly DayYields[],
  time: LocalTime,
): Verdict {
  const judged: Judged[] = []
  for (const { day, of, producing, sunny } of days) {
    const made = of[index]!
    if (!sunny || Number.isNaN(made)) continue
    const { middle, count } = siblingsOf(producing, made)
    if (count > 0 && made > dead * middle) judged.push({ day, ratio: made / middle, siblings: count })
  }
  const earlier = installation.earlier.get(subjectOf({ type: 'underperformance', panelId: panel.id }))
  const past = judged.slice(0, -weak.days).map(({ ratio }) => ratio)
  const usual =
    earlier?.usualRatio ??
    (past.length >= pastNeeded ? Math.min(maxUsual, quantile(past, usualQuantile)) : null)
  if (usual !== null && usual < hopeless) return unknown

  const from = Math.max(
    time.today - evidenceWithinDays,
    earlier?.resolvedAt ? time.dayOf(earlier.resolvedAt) + 1 : 0,
  )
  const least = usual === null ? 2 : 1
  const evidence = judged.filter(({ day, siblings }) => day >= from && siblings >= least)
  const parts = evidence.map(({ ratio }) => ratio / (usual ?? 1))
  const rules = usual === null ? [weakWithoutPast] : [weak, weaker]
  const rule = rules.find(
    ({ days, below }) => parts.length >= days && parts.slice(-days).every((part) => part <= below),
  )
  if (rule) {
    const begun = parts.findLastIndex((part) => part > Math.max(rule.below, weaker.below)) + 1
    return {
      state: 'faulty',
      since: time.startOf(evidence[begun]!.day),
      lossPercent: Math.round(100 * (1 - median(parts.slice(-rule.days)))),
      usualRatio: usual ?? 1,
    }
  }
  const latest = parts.slice(-wellAgain.days)
  return latest.length === wellAgain.days && latest.every((part) => part >= wellAgain.from) ? well : unknown
}

// Without siblings only the best of many days says anything, held against the same season a year ago.
const installationDays = 21
const installationDaysNeeded = 14
const seasonDaysNeeded = 20
const installationWeak = 0.65
const installationWell = 0.8
/** As many readings as then, more or less: else there are other panels, or another rhythm. */
const sameReadings = 0.1

/** A whole installation against its own past. */
export function judgeInstallationUnderperformance(
  installation: MeasuredInstallation,
  time: LocalTime,
): Verdict {
  const { made, earlier } = installation
  const { today } = time
  const resolvedAt = earlier.get(subjectOf({ type: 'underperformance', panelId: null }))?.resolvedAt
  const from = Math.max(today - installationDays, resolvedAt ? time.dayOf(resolvedAt) + 1 : 0)
  const recent = totals(made.days, from, today - 1)
  const yearAgo = today - daysInYear
  const season = totals(made.days, yearAgo - seasonDays, yearAgo + seasonDays)
  if (recent.length < installationDaysNeeded || season.length < seasonDaysNeeded) return unknown
  const rhythm =
    median(recent.map(({ readings }) => readings)) / median(season.map(({ readings }) => readings))
  if (Math.abs(rhythm - 1) > sameReadings) return unknown
  // Nearly the best: the best itself may be a total that caught up with days before it.
  const best = quantile(
    recent.map(({ kwh }) => kwh),
    0.95,
  )
  const good = quantile(
    season.map(({ kwh }) => kwh),
    0.9,
  )
  const then = good * seasonPart(installation, from, today)
  if (best >= installationWell * then) return well
  if (best > installationWeak * then) return unknown
  return {
    state: 'faulty',
    since: time.startOf(from),
    lossPercent: Math.round(100 * (1 - best / then)),
  }
}

function totals(days: ReadonlyMap<number, DayTotal>, from: number, to: number): DayTotal[] {
  const found: DayTotal[] = []
  for (let day = from; day <= to; day++) {
    const total = days.get(day)
    if (total && total.readings > 0) found.push(total)
  }
  return found
}
