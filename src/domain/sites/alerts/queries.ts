import type { Db, Statement } from '../../../platform/db.ts'
import { isId } from '../../../platform/ids.ts'
import type { Reach } from '../../kernel/context.ts'
import type { NumberedList } from '../../kernel/numbered-lists.ts'
import { isOnItsProject } from '../installations/own-queries.ts'
import type { Alert } from './alert.ts'

const columns = `id, company_id as "companyId", installation_id as "installationId", panel_id as "panelId",
  member_ids as "memberIds", type, severity, status, title, description, recommended_action as "recommendedAction",
  usual_ratio as "usualRatio", usual_ratios as "usualRatios", version, began_at as "beganAt",
  triggered_at as "triggeredAt", acknowledged_at as "acknowledgedAt", resolved_at as "resolvedAt"`

const findAlertStatement: Statement = {
  name: 'find-alert',
  text: `select ${columns} from alerts where installer_id = $1 and id = $2 and ($3::text is null or company_id = $3)`,
}

const findOwnAlertStatement: Statement = {
  name: 'find-own-alert',
  text: `${findAlertStatement.text} and exists (
      select 1 from installations i where i.installer_id = $1 and i.id = alerts.installation_id and ${isOnItsProject('$4')})`,
}

/** For those who see only their own, an alert of a project that they are on. */
export async function findAlert(
  db: Db,
  { installerId, companyId, memberId }: Reach,
  id: string,
): Promise<Alert | null> {
  if (!isId(id, 'alrt')) return null
  const [row] = memberId
    ? await db.query<Alert>(findOwnAlertStatement, [installerId, id, companyId, memberId])
    : await db.query<Alert>(findAlertStatement, [installerId, id, companyId])
  return row ?? null
}

const utc = (column: string) =>
  `to_char(l.${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${column}`

/** Newest first. The columns are those of `alertRecord`, in its order. */
export const alertList: NumberedList = {
  table: 'alerts',
  order: [
    { name: 'triggered_at', type: 'timestamptz' },
    { name: 'id', type: 'text' },
  ],
  listed: '',
  columns: `l.id, l.type, l.severity, l.status, l.installation_id, l.panel_id,
    case when l.panel_id is null then l.member_ids else array[l.panel_id] end as members, l.title, l.description,
    l.recommended_action,
    ${utc('triggered_at')}, ${utc('acknowledged_at')}, ${utc('resolved_at')}`,
  json: 'row_to_json(r)::text',
  found: '',
  joined: '',
  counts: { table: 'alert_counts', column: 'alerts' },
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

const countMoved = `insert into alert_counts as c (installer_id, company_id, status, severity, type, alerts, changes)
    select $1, company_id, status, severity, type, sum(alerts), 1 from moved group by company_id, status, severity, type
    on conflict (installer_id, company_id, status, severity, type)
      do update set alerts = c.alerts + excluded.alerts, changes = c.changes + 1`

const insertAlertsStatement: Statement = {
  name: 'insert-alerts',
  text: `with alert as (
      insert into alerts (installer_id, id, company_id, installation_id, panel_id, member_ids, type, severity, status, title,
        description, recommended_action, usual_ratio, usual_ratios, version, began_at, triggered_at)
      select $1, a."id", a."companyId", a."installationId", a."panelId", a."memberIds", a."type", a."severity", a."status",
        a."title", a."description", a."recommendedAction", a."usualRatio", a."usualRatios", a."version", a."beganAt",
        a."triggeredAt"
      from json_to_recordset($2) as a("id" text, "companyId" text, "installationId" text, "panelId" text,
        "memberIds" text[], "type" text, "severity" text, "status" text, "title" text, "description" text,
        "recommendedAction" text, "usualRatio" real, "usualRatios" real[], "version" bigint, "beganAt" timestamptz,
        "triggeredAt" timestamptz)
      returning company_id, status, severity, type
    ), moved as (select company_id, status, severity, type, 1 as alerts from alert)
    ${countMoved}`,
}

export async function insertAlerts(tx: Db, installerId: string, alerts: readonly Alert[]): Promise<void> {
  if (alerts.length > 0) await tx.query(insertAlertsStatement, [installerId, JSON.stringify(alerts)])
}

const updateAlertsStatement: Statement = {
  name: 'update-alerts',
  text: `with changed as (
      select * from json_to_recordset($2) as a("id" text, "panelId" text, "memberIds" text[], "severity" text,
        "status" text, "title" text, "description" text, "recommendedAction" text, "usualRatio" real, "usualRatios" real[],
        "version" bigint, "acknowledgedAt" timestamptz, "resolvedAt" timestamptz)
    ), before as (
      select r.company_id, r.status, r.severity, r.type from alerts r join changed a on r.installer_id = $1 and r.id = a."id"
    ), alert as (
      update alerts r set panel_id = a."panelId", member_ids = a."memberIds", severity = a."severity", status = a."status",
        title = a."title", description = a."description", recommended_action = a."recommendedAction",
        usual_ratio = a."usualRatio", usual_ratios = a."usualRatios", version = a."version", acknowledged_at = a."acknowledgedAt", resolved_at = a."resolvedAt"
      from changed a where r.installer_id = $1 and r.id = a."id"
      returning r.company_id, r.status, r.severity, r.type
    ), moved as (
      select company_id, status, severity, type, -1 as alerts from before
      union all select company_id, status, severity, type, 1 from alert
    )
    ${countMoved}`,
}

export async function updateAlerts(tx: Db, installerId: string, alerts: readonly Alert[]): Promise<void> {
  if (alerts.length > 0) await tx.query(updateAlertsStatement, [installerId, JSON.stringify(alerts)])
}
