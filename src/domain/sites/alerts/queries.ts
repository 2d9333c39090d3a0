import type { Db } from '../../../platform/db.ts'
import { isId } from '../../../platform/ids.ts'
import { isoText } from '../../../platform/sql/iso-text.ts'
import { float, floats, instant, integer, row, select, text, texts } from '../../../platform/sql/row.ts'
import { type Params, raw, sql, when } from '../../../platform/sql/sql.ts'
import { many, maybeOne, run } from '../../../platform/sql/statements.ts'
import { changedList } from '../../kernel/changed-lists.ts'
import type { Scope } from '../../kernel/context.ts'
import { installationsList } from '../../kernel/installation-lists.ts'
import { numberedList } from '../../kernel/numbered-lists.ts'
import { isOnItsProject } from '../installations/own-queries.ts'
import { keepTrouble } from '../installations/trouble-queries.ts'
import type { Alert } from './alert.ts'

const alert = row<Alert>({
  id: text,
  companyId: text,
  installationId: text,
  panelId: text,
  memberIds: texts,
  type: text,
  severity: text,
  status: text,
  title: text,
  description: text,
  recommendedAction: text,
  usualRatio: float,
  usualRatios: floats,
  version: integer,
  beganAt: instant,
  triggeredAt: instant,
  updatedAt: instant,
  acknowledgedAt: instant,
  resolvedAt: instant,
})
// Alerts that are older than this column changed last when they entered their status.
const changedAt = (of: string): string =>
  `coalesce(${of}.updated_at, ${of}.resolved_at, ${of}.acknowledged_at, ${of}.triggered_at)`
const columns = select(alert, '', { updatedAt: raw(changedAt('alerts')) })

type RecordScope = Pick<Scope, 'installerId' | 'companyId' | 'memberId'>

const alertById = maybeOne(
  alert,
  ($: Params<RecordScope & { id: string }>) => sql`
    select ${columns} from alerts where installer_id = ${$.installerId} and id = ${$.id}
      and (${$.companyId}::text is null or company_id = ${$.companyId})
      ${when(
        $.memberId,
        sql`and exists (
          select 1 from installations i
          where i.installer_id = ${$.installerId} and i.id = alerts.installation_id and ${isOnItsProject($)})`,
      )}`,
)

/** For those who see only their own, an alert of a project that they are on. */
export async function findAlert(db: Db, scope: RecordScope, id: string): Promise<Alert | null> {
  return isId(id, 'alrt') ? alertById(db, { ...scope, id }) : null
}

const utc = (column: string) => sql`${isoText(`l.${column}`)} as ${raw(column)}`

/** The columns are those of `alertRecord`, in its order. */
const listedAlerts = {
  table: 'alerts',
  columns: sql`l.id, l.type, l.severity, l.status, l.installation_id, l.panel_id,
    case when l.panel_id is null then l.member_ids else array[l.panel_id] end as members, l.title, l.description,
    l.recommended_action, ${utc('triggered_at')}, ${utc('acknowledged_at')}, ${utc('resolved_at')},
    ${isoText(changedAt('l'))} as updated_at`,
  json: sql`row_to_json(r)::text`,
}
const filters = ['status', 'severity', 'type'] as const

/** Newest first. */
export const alertList = numberedList(() => ({
  ...listedAlerts,
  order: { triggeredAt: instant, id: text },
  filters,
  counts: { table: 'alert_counts', column: 'alerts' },
}))

export const alertsOfInstallation = installationsList(() => ({
  ...listedAlerts,
  order: { triggeredAt: instant, id: text },
  filters,
}))

export const changedAlerts = changedList(() => ({
  ...listedAlerts,
  changed: changedAt('l'),
  ofInstallation: true,
  filters,
}))

/** What is open at some installations, and what was resolved after a time. */
export const listAlertsOf = many(
  alert,
  ($: Params<{ installerId: string; installationIds: readonly string[]; resolvedAfter: Date }>) => sql`
    select ${columns} from alerts
    where installer_id = ${$.installerId} and installation_id = any(${$.installationIds}::text[])
      and (resolved_at is null or resolved_at > ${$.resolvedAfter})`,
)

type Written = Params<{ installerId: string; alerts: string }>

const written = ({ alerts }: Written) => sql`json_to_recordset(${alerts}) as a("id" text, "companyId" text,
  "installationId" text, "panelId" text, "memberIds" text[], "type" text, "severity" text, "status" text, "title" text,
  "description" text, "recommendedAction" text, "usualRatio" real, "usualRatios" real[], "version" bigint,
  "beganAt" timestamptz, "triggeredAt" timestamptz, "updatedAt" timestamptz, "acknowledgedAt" timestamptz, "resolvedAt" timestamptz)`

const countMoved = ({ installerId }: Written) => sql`
    insert into alert_counts as c (installer_id, company_id, status, severity, type, alerts, changes)
    select ${installerId}, company_id, status, severity, type, sum(alerts), 1 from moved
    group by company_id, status, severity, type
    on conflict (installer_id, company_id, status, severity, type)
      do update set alerts = c.alerts + excluded.alerts, changes = c.changes + 1`

const insertWritten = run(
  ($: Written) => sql`with alert as (
      insert into alerts (installer_id, id, company_id, installation_id, panel_id, member_ids, type, severity, status,
        title, description, recommended_action, usual_ratio, usual_ratios, version, began_at, triggered_at, updated_at)
      select ${$.installerId}, a."id", a."companyId", a."installationId", a."panelId", a."memberIds", a."type",
        a."severity", a."status", a."title", a."description", a."recommendedAction", a."usualRatio", a."usualRatios",
        a."version", a."beganAt", a."triggeredAt", a."updatedAt"
      from ${written($)}
      returning company_id, status, severity, type
    ), moved as (select company_id, status, severity, type, 1 as alerts from alert)
    ${countMoved($)}`,
)

const updateWritten = run(
  ($: Written) => sql`with changed as (select * from ${written($)}), before as (
      select r.company_id, r.status, r.severity, r.type from alerts r
        join changed a on r.installer_id = ${$.installerId} and r.id = a."id"
    ), alert as (
      update alerts r set panel_id = a."panelId", member_ids = a."memberIds", severity = a."severity", status = a."status",
        title = a."title", description = a."description", recommended_action = a."recommendedAction",
        usual_ratio = a."usualRatio", usual_ratios = a."usualRatios", version = a."version",
        acknowledged_at = a."acknowledgedAt", resolved_at = a."resolvedAt", updated_at = a."updatedAt"
      from changed a where r.installer_id = ${$.installerId} and r.id = a."id"
      returning r.company_id, r.status, r.severity, r.type
    ), moved as (
      select company_id, status, severity, type, -1 as alerts from before
      union all select company_id, status, severity, type, 1 from alert
    )
    ${countMoved($)}`,
)

/** Those that were opened and those that changed. */
export interface WrittenAlerts {
  opened?: readonly Alert[]
  changed?: readonly Alert[]
}

/** All of a transaction at once: installations are held in one order by everybody who holds several. */
export async function writeAlerts(
  tx: Db,
  installerId: string,
  { opened = [], changed = [] }: WrittenAlerts,
): Promise<void> {
  if (opened.length > 0) await insertWritten(tx, { installerId, alerts: JSON.stringify(opened) })
  if (changed.length > 0) await updateWritten(tx, { installerId, alerts: JSON.stringify(changed) })
  const installations = new Set([...opened, ...changed].map(({ installationId }) => installationId))
  await keepTrouble(tx, installerId, [...installations])
}
