import type { Command } from 'commander'
import { requireCompany } from '../domain/kernel/tenant/require-company.ts'
import type { Alert } from '../domain/sites/alerts/alert.ts'
import { findAlerts } from '../domain/sites/alerts/find-alerts.ts'
import { eachInstallerToJudge } from '../domain/sites/alerts/measurement-queries.ts'
import { currentTime } from '../platform/clock.ts'
import type { Database } from '../platform/db.ts'
import { instant } from './instant-option.ts'
import { type Output, printRecord, printRows } from './print.ts'
import { withDatabase } from './with-database.ts'

interface FindOptions extends Output {
  at?: Date
  installer?: string
}

const shown =
  (change: string) =>
  ({ id, type, severity, installationId, panelId, memberIds, title }: Alert) => ({
    change,
    id,
    type,
    severity,
    installationId,
    panelId,
    memberIds,
    title,
  })

export function alertCommands(program: Command): void {
  const alerts = program.command('alerts').description('what is wrong with panels and installations')
  alerts
    .command('find')
    .description('look for faults now, as the server does every 15 minutes')
    .option('--at <timestamp>', 'look as it was at this time, with what is known up to then', instant)
    .option('--installer <company>', 'only this installer, by id or number')
    .option('--json', 'print JSON')
    .action((options: FindOptions) => withDatabase((db) => find(db, options)))
}

async function find(db: Database, options: FindOptions): Promise<void> {
  const at = options.at ?? currentTime()
  const summary = { at, installations: 0, panels: 0, opened: 0, worsened: 0, resolved: 0 }
  const changes: ReturnType<ReturnType<typeof shown>>[] = []
  const failures: { installer: string; error: string }[] = []
  for await (const installer of installers(db, options.installer)) {
    try {
      const found = await findAlerts(db, installer, at)
      summary.installations += found.installations
      summary.panels += found.panels
      for (const change of ['opened', 'worsened', 'resolved'] as const) {
        summary[change] += found[change].length
        changes.push(...found[change].map(shown(change)))
      }
    } catch (error) {
      failures.push({ installer, error: (error as Error).message })
    }
  }
  if (options.json) {
    printRecord({ ...summary, changes, failures }, options)
  } else {
    printRecord(summary, options)
    if (changes.length > 0) printRows(changes, options)
  }
  if (failures.length === 0) return
  for (const { installer, error } of failures) console.error(`${installer}: ${error}`)
  process.exitCode = 1
}

async function* installers(db: Database, named: string | undefined): AsyncGenerator<string> {
  if (named === undefined) return yield* eachInstallerToJudge(db)
  const company = await requireCompany(db, named)
  if (company.kind !== 'installer') throw new Error(`${company.name} is no installer: name its installer.`)
  yield company.id
}
