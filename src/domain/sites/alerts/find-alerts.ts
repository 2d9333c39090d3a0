import { currentTime } from '../../../platform/clock.ts'
import type { Database, Db } from '../../../platform/db.ts'
import { newId } from '../../../platform/ids.ts'
import { type RecordEvent, recordEvents } from '../../journal/events/record-events.ts'
import type { Actor } from '../../kernel/context.ts'
import { differences } from '../../kernel/differences.ts'
import { takeTimes } from '../../kernel/tenant/clock-queries.ts'
import { type Alert, alertRecord, panelsOf, subjectsOf } from './alert.ts'
import { type Changes, changesNothing, compareWithOpen } from './compare-with-open.ts'
import { lastReadingOf } from './data-gap.ts'
import { type Findings, findFaults } from './find-faults.ts'
import { type Earlier, historyDays, localTime, type MeasuredInstallation } from './measured-installation.ts'
import {
  type InstallationRow,
  listInstallationNames,
  listInstallationsToJudge,
  loadMade,
  loadPanels,
} from './measurement-queries.ts'
import { listAlertsOf, writeAlerts } from './queries.ts'
import { neighbourReader } from './read-neighbours.ts'
import { listSilences, noteSilences } from './silence-queries.ts'
import { type SilenceChange, silenceChanges, silenceDays } from './silences.ts'

export interface Found {
  installations: number
  panels: number
  opened: Alert[]
  worsened: Alert[]
  resolved: Alert[]
}

const installationsAtOnce = 100
// Some 15 ms of calculation, during which nobody is answered, and 2 MB.
const panelsAtOnce = 200
const dayMs = 86_400_000
const nothingMade = { days: new Map(), hours: new Map() }

/**
 * Looks at every installation of a tenant as it was at a time: opens an alert for each fault that has none, and
 * resolves those whose fault is shown to be gone. After each part of the work it waits for `rest`, if there is one.
 */
export async function findAlerts(
  db: Database,
  installerId: string,
  at: Date,
  { signal, rest }: { signal?: AbortSignal; rest?: () => Promise<void> } = {},
): Promise<Found> {
  const found: Found = { installations: 0, panels: 0, opened: [], worsened: [], resolved: [] }
  const withNeighbours = neighbourReader(db, installerId, at)
  for (let after = ''; ; ) {
    const rows = await listInstallationsToJudge(db, { installerId, after, limit: installationsAtOnce })
    for (const some of inParts(rows)) {
      if (signal?.aborted) return found
      await lookAt(db, installerId, some, at, withNeighbours, found)
      await rest?.()
    }
    if (rows.length < installationsAtOnce) return found
    after = rows.at(-1)!.id
  }
}

/** As many installations at once as have not too many panels together. */
function* inParts(rows: readonly InstallationRow[]): Generator<InstallationRow[]> {
  let part: InstallationRow[] = []
  let panels = 0
  for (const row of rows) {
    if (part.length > 0 && panels + row.panelCount > panelsAtOnce) {
      yield part
      part = []
      panels = 0
    }
    part.push(row)
    panels += row.panelCount
  }
  if (part.length > 0) yield part
}

async function lookAt(
  db: Database,
  installerId: string,
  rows: readonly InstallationRow[],
  at: Date,
  withNeighbours: WithNeighbours,
  found: Found,
): Promise<void> {
  const ids = rows.map(({ id }) => id)
  const before = (days: number) => new Date(at.getTime() - days * dayMs)
  const [panels, made, alerts, silences] = await Promise.all([
    loadPanels(db, installerId, ids, at),
    loadMade(db, installerId, ids, at),
    listAlertsOf(db, { installerId, installationIds: ids, resolvedAfter: before(historyDays) }),
    listSilences(db, { installerId, installationIds: ids, after: before(silenceDays) }),
  ])
  const installations = rows.map((row): MeasuredInstallation => {
    const own = alerts.filter(({ installationId }) => installationId === row.id)
    return {
      ...row,
      panels: panels.filter(({ installationId }) => installationId === row.id),
      made: made.get(row.id) ?? nothingMade,
      earlier: earlierOf(own, at),
      silences: silences.filter(({ installationId }) => installationId === row.id),
      neighbours: [],
    }
  })
  found.installations += installations.length
  found.panels += panels.length
  const looked = await look(installations, at, withNeighbours)
  await noteSilences(
    db,
    installerId,
    installations.flatMap((installation) => heard(installation, at)),
    at,
    before(silenceDays),
  )
  if (
    looked.every(({ installation, findings }) => changesNothing(compared(installation, findings, alerts, at)))
  )
    return
  await db.transaction((tx) => write(tx, installerId, looked, at, found))
}

type WithNeighbours = ReturnType<typeof neighbourReader>

interface Looked {
  installation: MeasuredInstallation
  findings: Findings
}

/** Neighbours are asked only where a whole installation seems to be at fault, or made nothing: that is rare. */
async function look(
  installations: readonly MeasuredInstallation[],
  at: Date,
  withNeighbours: WithNeighbours,
): Promise<Looked[]> {
  const looked = installations.map((installation) => ({
    installation,
    findings: findFaults(installation, at),
  }))
  const asking = looked.filter(({ findings }) => findings.asksNeighbours)
  const byThese = new Map<string, Findings>()
  for await (const installation of withNeighbours(asking.map(({ installation }) => installation)))
    byThese.set(installation.id, findFaults(installation, at))
  return looked.map(({ installation, findings }) => ({
    installation,
    findings: byThese.get(installation.id) ?? findings,
  }))
}

/** Whether the installation has been silent for long, or is so no more. */
export function heard(installation: MeasuredInstallation, at: Date): SilenceChange[] {
  const time = localTime(installation.timezone, at)
  const lastAt = lastReadingOf(installation, time)
  return lastAt === null ? [] : silenceChanges(installation, lastAt, time)
}

/** What earlier alerts leave behind, by subject. */
export function earlierOf(alerts: readonly Alert[], at: Date): Map<string, Earlier> {
  const earlier = new Map<string, Earlier>()
  for (const alert of alerts) {
    for (const [i, subject] of subjectsOf(alert).entries()) {
      const { resolvedAt, usualRatio } = earlier.get(subject) ?? { resolvedAt: null, usualRatio: null }
      const own = alert.usualRatios[i] ?? alert.usualRatio
      if (alert.status !== 'resolved') earlier.set(subject, { resolvedAt, usualRatio: own })
      else if (alert.resolvedAt! <= at && (resolvedAt === null || alert.resolvedAt! > resolvedAt))
        earlier.set(subject, { resolvedAt: alert.resolvedAt, usualRatio })
    }
  }
  return earlier
}

function compared(
  installation: MeasuredInstallation,
  findings: Findings,
  alerts: readonly Alert[],
  at: Date,
): Changes {
  const own = alerts.filter(({ installationId }) => installationId === installation.id)
  return compareWithOpen(installation, findings, own, at)
}

/** Compares again what is open, now that nobody else changes it, and writes what follows. */
async function write(
  tx: Db,
  installerId: string,
  looked: readonly Looked[],
  at: Date,
  found: Found,
): Promise<void> {
  // The tenant's clock goes by the time it is, whatever time is asked about.
  const changedAt = await takeTimes(tx, installerId, currentTime(), 1)
  const ids = looked.map(({ installation }) => installation.id)
  const alerts = await listAlertsOf(tx, { installerId, installationIds: ids, resolvedAfter: at })
  const names = await listInstallationNames(tx, installerId, ids)
  const opened: Alert[] = []
  const worsened: Alert[] = []
  const resolved: Alert[] = []
  for (const { installation, findings } of looked) {
    // It was deleted since it was read, or its customer was erased: an alert would name them. It is looked at again soon.
    if (names.get(installation.id) !== installation.name) continue
    const changes = compared(installation, findings, alerts, at)
    opened.push(...changes.opened.map((one) => newAlert(installation, one, at, changedAt)))
    worsened.push(...changes.worsened.map((one) => worsenedAlert(one, changedAt)))
    resolved.push(
      ...changes.resolved.map(
        (alert): Alert => ({
          ...alert,
          status: 'resolved',
          resolvedAt: at,
          version: alert.version + 1,
          updatedAt: changedAt,
        }),
      ),
    )
  }
  const was = ({ id }: Alert) => alerts.find((alert) => alert.id === id)
  await writeAlerts(tx, installerId, { opened, changed: [...worsened, ...resolved] })
  await recordEvents(tx, finder(installerId), changedAt, [
    ...opened.map((alert) => alertEvent('alert.triggered', alert)),
    ...worsened.map((alert) => alertEvent('alert.updated', alert, was(alert))),
    ...resolved.map((alert) => alertEvent('alert.resolved', alert, was(alert))),
  ])
  found.opened.push(...opened)
  found.worsened.push(...worsened)
  found.resolved.push(...resolved)
}

export function newAlert(
  installation: Pick<MeasuredInstallation, 'id'>,
  { faults, companyId, ...described }: Changes['opened'][number],
  at: Date,
  updatedAt = at,
): Alert {
  const [first] = faults
  const several = faults.length > 1
  return {
    id: newId('alrt'),
    companyId,
    installationId: installation.id,
    panelId: several ? null : first!.panelId,
    memberIds: several ? faults.map(({ panelId }) => panelId!) : [],
    type: first!.type,
    ...described,
    status: 'active',
    usualRatio: several ? null : first!.usualRatio,
    usualRatios: several ? faults.map(({ usualRatio }) => usualRatio) : [],
    version: 1,
    beganAt: first!.since,
    triggeredAt: at,
    updatedAt,
    acknowledgedAt: null,
    resolvedAt: null,
  }
}

/** The first member stays the first: by it the database knows which alert it is. */
export function worsenedAlert(
  { alert, joined, ...described }: Changes['worsened'][number],
  updatedAt: Date,
): Alert {
  const worse = { ...alert, ...described, version: alert.version + 1, updatedAt }
  if (joined.length === 0) return worse
  return {
    ...worse,
    panelId: null,
    memberIds: [...panelsOf(alert), ...joined.map(({ panelId }) => panelId!)],
    usualRatio: null,
    usualRatios: [
      ...(alert.panelId === null ? alert.usualRatios : [alert.usualRatio]),
      ...joined.map(({ usualRatio }) => usualRatio),
    ],
  }
}

/** `before` is what it was, where it was there. */
export function alertEvent(
  type: 'alert.triggered' | 'alert.updated' | 'alert.acknowledged' | 'alert.resolved',
  alert: Alert,
  before?: Alert,
): RecordEvent {
  const { companyId, id, version } = alert
  const event = { type, companyId, subjectId: id, data: { ...alertRecord(alert), version } }
  if (!before) return event
  return {
    ...event,
    before: alertRecord(before),
    changes: differences(before, alert, ['status', 'severity']),
  }
}

function finder(installerId: string): Actor {
  return {
    kind: 'job',
    id: null,
    name: 'Monitoring',
    installerId,
    companyId: installerId,
    companyKind: 'installer',
    canWrite: true,
  }
}
