import { type Alert, panelsOf } from '../../../../src/domain/sites/alerts/alert.ts'
import { compareWithOpen } from '../../../../src/domain/sites/alerts/compare-with-open.ts'
import { earlierOf, heard, newAlert, worsenedAlert } from '../../../../src/domain/sites/alerts/find-alerts.ts'
import { findFaults } from '../../../../src/domain/sites/alerts/find-faults.ts'
import type {
  MeasuredInstallation,
  Silence,
} from '../../../../src/domain/sites/alerts/measured-installation.ts'
import type { Episode, Fleet, Kind } from './fleet.ts'

/** Looks at a site as the job does, with the alerts and silences kept in lists. */
export function look(site: MeasuredInstallation, alerts: Alert[], now: Date, silences: Silence[] = []): void {
  const seen = { ...site, earlier: earlierOf(alerts, now), silences: [...silences] }
  for (const { beganAt, ended } of heard(seen, now)) {
    if (ended) silences.find((silence) => silence.beganAt === beganAt)!.endedAt = now
    else silences.push({ beganAt, endedAt: null })
  }
  const { opened, worsened, resolved } = compareWithOpen(seen, findFaults(seen, now), alerts, now)
  for (const alert of resolved) Object.assign(alert, { status: 'resolved', resolvedAt: now })
  for (const change of worsened) Object.assign(change.alert, worsenedAlert(change, now))
  for (const change of opened) alerts.push(newAlert(site, change, now))
}

/** Looks at every site from a day to another, every so many hours, as far as it can be `seen` by then. */
export function watch(
  { sites, at }: Fleet,
  fromDay: number,
  toDay: number,
  everyHours: number,
  seen: (site: MeasuredInstallation, now: Date) => MeasuredInstallation = (site) => site,
): Alert[] {
  return sites.flatMap((site) => {
    const alerts: Alert[] = []
    const silences: Silence[] = []
    for (let hours = fromDay * 24; hours <= toDay * 24; hours += everyHours) {
      const now = at(0, hours)
      look(seen(site, now), alerts, now, silences)
    }
    return alerts
  })
}

export interface Score {
  precision: number
  recall: number
  episodes: number
  found: number
  alerts: number
  missed: Episode[]
  wrong: Alert[]
  recallBy: Map<Kind, [found: number, episodes: number]>
}

const graceMs = 86_400_000

/** Each episode by the first alert that says it of its panel; any other alert is wrong, a second for the same too. */
export function score({ episodes }: Fleet, alerts: readonly Alert[]): Score {
  const right = new Set<Alert>()
  const missed: Episode[] = []
  const recallBy = new Map<Kind, [number, number]>()
  let found = 0
  for (const episode of episodes) {
    const isOf = (alert: Alert) =>
      episode.panelId === null ? panelsOf(alert).length === 0 : panelsOf(alert).includes(episode.panelId)
    const first = alerts.find(
      (alert) =>
        alert.type === episode.type &&
        alert.installationId === episode.siteId &&
        isOf(alert) &&
        alert.triggeredAt >= episode.from &&
        alert.triggeredAt.getTime() <= episode.to.getTime() + graceMs,
    )
    const [told, all] = recallBy.get(episode.kind) ?? [0, 0]
    recallBy.set(episode.kind, [told + (first ? 1 : 0), all + 1])
    if (first) found++
    if (first) right.add(first)
    else missed.push(episode)
  }
  return {
    precision: right.size / alerts.length,
    recall: found / episodes.length,
    episodes: episodes.length,
    found,
    alerts: alerts.length,
    missed,
    wrong: alerts.filter((alert) => !right.has(alert)),
    recallBy,
  }
}
