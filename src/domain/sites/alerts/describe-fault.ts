import { dayInWords } from '../../kernel/days.ts'
import { type Alert, type Severity, severities } from './alert.ts'
import {
  type AnomalyReason,
  type Fault,
  localTime,
  type MeasuredInstallation,
} from './measured-installation.ts'
import { kwOf } from './yields.ts'

const dayMs = 86_400_000

export type Description = Pick<Alert, 'severity' | 'title' | 'description' | 'recommendedAction'>

/**
 * What faults of one cause mean and what to do about it, in words; how bad it is by how much and how long. `panelIds`
 * are all that the alert is about, those that are well again too.
 */
export function describeFaults(
  installation: MeasuredInstallation,
  faults: readonly Fault[],
  panelIds: readonly string[],
  all: readonly Fault[],
  now: Date,
): Description {
  const rank = (fault: Fault) => severities.indexOf(severityOf(installation, fault, all, now))
  const severity = severities[Math.max(...faults.map(rank))]!
  return { severity, ...words(installation, faults, panelIds) }
}

function severityOf(
  installation: MeasuredInstallation,
  fault: Fault,
  all: readonly Fault[],
  now: Date,
): Severity {
  const { type, panelId, lossPercent, since, dueAt } = fault
  const days = (now.getTime() - since.getTime()) / dayMs
  if (panelId === null) {
    if (type === 'outage') return 'critical'
    // From silence nobody can tell that anything is lost: an upload that was skipped is a note, days of them are not.
    const overdue = (now.getTime() - (dueAt ?? since).getTime()) / dayMs
    if (type === 'data_gap') return overdue >= 3 ? 'high' : overdue >= 1 ? 'medium' : 'low'
    return 'high'
  }
  if (type === 'outage') return days >= 3 || partOut(installation, all) >= 0.25 ? 'high' : 'medium'
  if (type === 'anomaly') return days >= 7 ? 'high' : 'medium'
  if (type === 'data_gap') return days >= 14 ? 'high' : days >= 3 ? 'medium' : 'low'
  const loss = lossPercent ?? 0
  if (loss >= 50) return 'high'
  if (loss >= 25) return days >= 14 ? 'high' : 'medium'
  return days >= 14 ? 'medium' : 'low'
}

/** The part of an installation's capacity that is out. */
function partOut({ panels }: MeasuredInstallation, all: readonly Fault[]): number {
  const out = new Set(all.filter(({ type }) => type === 'outage').map(({ panelId }) => panelId))
  const kw = (some: typeof panels) => some.reduce((sum, panel) => sum + kwOf(panel), 0)
  return kw(panels.filter(({ id }) => out.has(id))) / kw(panels)
}

type Words = Omit<Description, 'severity'>

function words(
  installation: MeasuredInstallation,
  faults: readonly Fault[],
  panelIds: readonly string[],
): Words {
  const first = faults.reduce((a, b) => (b.since < a.since ? b : a))
  const from = localText(installation, first.since)
  if (panelIds.length === 0) return wordsOfInstallation(installation.name, first, from)
  const names = panelIds.map((id) => installation.panels.find((panel) => panel.id === id)?.name ?? 'A panel')
  return panelIds.length === 1
    ? wordsOfPanel(installation.name, names[0]!, first, from)
    : wordsOfGroup(installation.name, names, faults, from)
}

function wordsOfInstallation(name: string, { type, lossPercent }: Fault, from: string): Words {
  switch (type) {
    case 'outage':
      return {
        title: `${name}: no production from the whole installation`,
        description: `All panels of ${name} have reported no output since ${from}, at hours when the installation normally produces.`,
        recommendedAction:
          'Check the main breaker, the grid connection and the inverter’s display for a fault code. If snow may be covering the panels, look again once it has melted.',
      }
    case 'data_gap':
      return {
        title: `${name}: no data from the whole installation`,
        description: `No panel of ${name} has reported since ${from}. There is no way to tell whether it is producing.`,
        recommendedAction:
          'Check the gateway’s power and internet connection. If both are fine, check whether the installation itself has power.',
      }
    default:
      return {
        title: `${name}: output ${lossPercent}% below last year`,
        description: `Even the best day of ${name} since ${from} was ${lossPercent}% below good days in the same season a year ago.`,
        recommendedAction:
          'Compare with the inverter’s own figures, then check for a string that is out, new shade and dirt.',
      }
  }
}

function wordsOfPanel(installation: string, name: string, fault: Fault, from: string): Words {
  const { type, lossPercent, usualRatio, reason } = fault
  switch (type) {
    case 'outage':
      return {
        title: `${name}: no production`,
        description: `${name} of ${installation} has reported no output since ${from}, while its siblings produced.`,
        recommendedAction:
          'Check the panel’s microinverter or optimizer, its connectors and its string’s fuse.',
      }
    case 'data_gap':
      return {
        title: `${name}: no data`,
        description: `${name} of ${installation} has not reported since ${from}, longer than it normally leaves between readings.`,
        recommendedAction:
          'Check the panel’s link to the gateway: signal, pairing and the power of its communication unit.',
      }
    case 'anomaly':
      return {
        title: `${name}: implausible readings`,
        description: `Since ${from}, ${name} of ${installation} has sent ${anomalies[reason ?? 'impossible']}. Its siblings are judged without it.`,
        recommendedAction: checkSensor,
      }
    case 'underperformance':
      return {
        title: `${name}: output ${lossPercent}% below normal`,
        description: `Since ${from}, ${name} of ${installation} has produced ${lossPercent}% less than its siblings’ output suggests${usual(usualRatio)}.`,
        recommendedAction:
          'Look for dirt, new shade and damage on the panel; clean it, then check its connectors and bypass diodes.',
      }
  }
}

function wordsOfGroup(
  installation: string,
  names: readonly string[],
  faults: readonly Fault[],
  from: string,
): Words {
  const [{ type, reason }] = faults as [Fault]
  const count = `${names.length} panels`
  const listed = `${listOf(names)} of ${installation}`
  switch (type) {
    case 'outage':
      return {
        title: `${count}: no production`,
        description: `${listed} have reported no output since ${from}, while the others produced. They went out together.`,
        recommendedAction:
          'Begin with what they share: the string’s fuse, its connectors and its inverter input.',
      }
    case 'data_gap':
      return {
        title: `${count}: no data`,
        description: `${listed} have not reported since ${from}, longer than they normally leave between readings.`,
        recommendedAction: 'Check what they share on the way to the gateway: a repeater, a cable, its power.',
      }
    case 'anomaly':
      return {
        title: `${count}: implausible readings`,
        description: `Since ${from}, ${listed} have sent ${anomalies[reason ?? 'impossible']}. The others are judged without them.`,
        recommendedAction: checkSensor,
      }
    case 'underperformance': {
      const loss = Math.max(...faults.map(({ lossPercent }) => lossPercent ?? 0))
      return {
        title: `${count}: output up to ${loss}% below normal`,
        description: `Since ${from}, ${listed} have produced up to ${loss}% less than the others’ output suggests.`,
        recommendedAction: 'Look for new shade and dirt that they share, then check their string.',
      }
    }
  }
}

const anomalies: Record<AnomalyReason, string> = {
  impossible: 'more than its capacity can produce; those readings are in quarantine',
  excessive: 'far more than its siblings and than ever before',
  dark: 'energy at night',
  stuck: 'the same figure hour after hour',
  unit: 'a steady small fraction of its siblings’ output, as with a wrong unit or capacity',
}
const checkSensor =
  'Check the unit it sends (Wh as kWh), its stated capacity and the logger’s clock. Then send the corrected readings.'

const namesShown = 5

function listOf(names: readonly string[]): string {
  const shown = names.slice(0, namesShown)
  const more = names.length - shown.length
  const last = more > 0 ? `${more} more` : shown.pop()!
  return `${shown.join(', ')} and ${last}`
}

function usual(ratio: number | null): string {
  return ratio === null || Math.abs(ratio - 1) < 0.05
    ? ''
    : ` (it normally produces ${Math.round(ratio * 100)}% of theirs)`
}

function localText({ timezone }: MeasuredInstallation, instant: Date): string {
  const { today, startOf } = localTime(timezone, instant)
  const day = dayInWords(new Date(today * dayMs).toISOString().slice(0, 10))
  const hour = Math.floor((instant.getTime() - startOf(today).getTime()) / 3_600_000)
  return hour === 0 ? day : `${day}, ${hour % 12 || 12} ${hour < 12 ? 'AM' : 'PM'}`
}
