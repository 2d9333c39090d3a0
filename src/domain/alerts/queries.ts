import type { Db, Statement } from '../../platform/db.ts'
import { isId } from '../../platform/ids.ts'
import type { Reach } from '../context.ts'
import type { Alert, AlertStatus, Severity } from './alert.ts'

const columns = `id, company_id as "companyId", installation_id as "installationId", panel_id as "panelId", type, severity,
  status, title, description, recommended_action as "recommendedAction", usual_ratio as "usualRatio", version,
  triggered_at as "triggeredAt", acknowledged_at as "acknowledgedAt", resolved_at as "resolvedAt"`

const findAlertStatement: Statement = {
  name: 'find-alert',
  text: `select ${columns} from alerts where installer_id = $1 and id = $2 and ($3::text is null or company_id = $3)`,
}

export async function findAlert(db: Db, reach: Reach, id: string): Promise<Alert | null> {
  if (!isId(id, 'alrt')) return null
  const [row] = await db.query<Alert>(findAlertStatement, [reach.installerId, id, reach.companyId])
  return row ?? null
}

export interface AlertFilter {
  status?: AlertStatus | undefined
  severity?: Severity | undefined
}

const lists = new Map<string, { page: Statement; count: Statement }>()

/** One statement for each set of filters, so that each is planned for the index that serves it. */
function listStatements(filters: readonly string[]) {
  const name = filters.join('-')
  const known = lists.get(name)
  if (known) return known
  const filter = filters.map((column, i) => ` and ${column} = $${i + 2}`).join('')
  const made = {
    page: {
      name: `list-alerts-${name}`,
      text: `select ${columns} from alerts where installer_id = $1${filter}
        order by triggered_at desc, id desc offset $${filters.length + 2}::bigint limit $${filters.length + 3}::int`,
    },
    count: {
      name: `count-alerts-${name}`,
      text: `select count(*)::int as total from alerts where installer_id = $1${filter}`,
    },
  }
  lists.set(name, made)
  return made
}

/** A page of alerts, newest first, and how many there are in all. */
export async function listAlerts(
  db: Db,
  { installerId, companyId }: Reach,
  { status, severity }: AlertFilter,
  { before, perPage }: { before: number; perPage: number },
): Promise<{ alerts: Alert[]; total: number }> {
  const filters = Object.entries({ company_id: companyId ?? undefined, status, severity }).filter(
    ([, value]) => value !== undefined,
  )
  const statements = listStatements(filters.map(([column]) => column))
  const values = [installerId, ...filters.map(([, value]) => value)]
  const [[counted], alerts] = await Promise.all([
    db.query<{ total: number }>(statements.count, values),
    db.query<Alert>(statements.page, [...values, before, perPage]),
  ])
  return { alerts, total: counted!.total }
}

const alertsOfInstallations: Statement = {
  name: 'alerts-of-installations',
  text: `select ${columns} from alerts
    where installer_id = $1 and installation_id = any($2) and (resolved_at is null or resolved_at > $3)`,
}

/** What is open, and what was resolved after a time. */
export function listAlertsOf(
  db: Db,
  installerId: string,
  installationIds: readonly string[],
  resolvedAfter: Date,
): Promise<Alert[]> {
  return db.query<Alert>(alertsOfInstallations, [installerId, installationIds, resolvedAfter.toISOString()])
}

const insertAlertsStatement: Statement = {
  name: 'insert-alerts',
  text: `insert into alerts (installer_id, id, company_id, installation_id, panel_id, type, severity, status, title,
      description, recommended_action, usual_ratio, version, triggered_at)
    select $1, a."id", a."companyId", a."installationId", a."panelId", a."type", a."severity", a."status", a."title",
      a."description", a."recommendedAction", a."usualRatio", a."version", a."triggeredAt"
    from json_to_recordset($2) as a("id" text, "companyId" text, "installationId" text, "panelId" text, "type" text,
      "severity" text, "status" text, "title" text, "description" text, "recommendedAction" text, "usualRatio" real,
      "version" bigint, "triggeredAt" timestamptz)`,
}

export async function insertAlerts(tx: Db, installerId: string, alerts: readonly Alert[]): Promise<void> {
  if (alerts.length > 0) await tx.query(insertAlertsStatement, [installerId, JSON.stringify(alerts)])
}

const updateAlertsStatement: Statement = {
  name: 'update-alerts',
  text: `update alerts r set severity = a."severity", status = a."status", title = a."title", description = a."description",
      version = a."version", acknowledged_at = a."acknowledgedAt", resolved_at = a."resolvedAt"
    from json_to_recordset($2) as a("id" text, "severity" text, "status" text, "title" text, "description" text,
      "version" bigint, "acknowledgedAt" timestamptz, "resolvedAt" timestamptz)
    where r.installer_id = $1 and r.id = a."id"`,
}

export async function updateAlerts(tx: Db, installerId: string, alerts: readonly Alert[]): Promise<void> {
  if (alerts.length > 0) await tx.query(updateAlertsStatement, [installerId, JSON.stringify(alerts)])
}
