import type { Db, Statement } from '../../../platform/db.ts'
import type { Alert } from '../alerts/alert.ts'

/** An alert with the panel it is about. */
export interface AlertOfInstallation
  extends Omit<
    Alert,
    'companyId' | 'installationId' | 'memberIds' | 'usualRatio' | 'usualRatios' | 'version' | 'beganAt'
  > {
  panelName: string | null
  /** The names of the panels, where there are several. */
  memberNames: string[]
}

const columns = `a.id, a.panel_id as "panelId", p.name as "panelName", members.names as "memberNames",
  a.type, a.severity, a.status, a.title, a.description, a.recommended_action as "recommendedAction", a.triggered_at as "triggeredAt", a.acknowledged_at as "acknowledgedAt",
  a.resolved_at as "resolvedAt"`
const panel = `left join lateral (
    select name from panels where installer_id = $1 and id = a.panel_id offset 0
  ) p on true cross join lateral (
    select coalesce(array_agg(name order by name, id), '{}') as names from panels
    where installer_id = $1 and id = any(a.member_ids)
  ) members`

const openStatement: Statement = {
  name: 'open-alerts-of-installation',
  text: `select ${columns} from alerts a ${panel}
    where a.installer_id = $1 and a.installation_id = $2 and a.status <> 'resolved'
    order by array_position(array['critical', 'high', 'medium', 'low'], a.severity), a.triggered_at desc, a.id limit $3`,
}

/** The worst first. */
export function listOpenAlerts(
  db: Db,
  installerId: string,
  installationId: string,
  limit: number,
): Promise<AlertOfInstallation[]> {
  return db.query(openStatement, [installerId, installationId, limit])
}

const resolvedStatement: Statement = {
  name: 'resolved-alerts-of-installation',
  text: `select ${columns} from alerts a ${panel}
    where a.installer_id = $1 and a.installation_id = $2 and (a.resolved_at, a.id) < ($3, $4)
    order by a.resolved_at desc, a.id desc limit $5`,
}

export interface ResolvedPlace {
  at: Date
  id: string
}

/** Those that are over, the last one first. */
export function listResolvedAlerts(
  db: Db,
  installerId: string,
  installationId: string,
  before: ResolvedPlace,
  limit: number,
): Promise<AlertOfInstallation[]> {
  return db.query(resolvedStatement, [installerId, installationId, before.at, before.id, limit])
}

const actorsStatement: Statement = {
  name: 'who-changed-alerts',
  text: `select a.id, e.type, e.actor_name as "by" from unnest($2::text[]) as a (id) cross join lateral (
      select type, actor_name from events where installer_id = $1 and coalesce(lead_id, subject_id) = a.id
        and type in ('alert.acknowledged', 'alert.resolved') offset 0
    ) e`,
}

/** Who acknowledged and who resolved these alerts. */
export function listActors(
  db: Db,
  installerId: string,
  ids: readonly string[],
): Promise<{ id: string; type: string; by: string | null }[]> {
  return ids.length === 0 ? Promise.resolve([]) : db.query(actorsStatement, [installerId, ids])
}
