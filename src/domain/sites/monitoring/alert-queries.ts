import type { Db } from '../../../platform/db.ts'
import { instant, row, select, text, texts } from '../../../platform/sql/row.ts'
import { type Params, sql } from '../../../platform/sql/sql.ts'
import { many } from '../../../platform/sql/statements.ts'
import type { Alert } from '../alerts/alert.ts'

/** An alert with the panel it is about. */
export interface AlertOfInstallation
  extends Omit<
    Alert,
    | 'companyId'
    | 'installationId'
    | 'memberIds'
    | 'usualRatio'
    | 'usualRatios'
    | 'version'
    | 'beganAt'
    | 'updatedAt'
  > {
  panelName: string | null
  /** The names of the panels, where there are several. */
  memberNames: string[]
}

const alert = row<AlertOfInstallation>({
  id: text,
  panelId: text,
  panelName: text,
  memberNames: texts,
  type: text,
  severity: text,
  status: text,
  title: text,
  description: text,
  recommendedAction: text,
  triggeredAt: instant,
  acknowledgedAt: instant,
  resolvedAt: instant,
})

interface OfInstallation {
  installerId: string
  installationId: string
  limit: number
}

const alertsWithPanels = ({ installerId, installationId }: Params<OfInstallation>) => sql`
  select ${select(alert, 'a', { panelName: sql`p.name`, memberNames: sql`members.names` })}
  from alerts a left join lateral (
    select name from panels where installer_id = ${installerId} and id = a.panel_id offset 0
  ) p on true cross join lateral (
    select coalesce(array_agg(name order by name, id), '{}') as names from panels
    where installer_id = ${installerId} and id = any(a.member_ids)
  ) members
  where a.installer_id = ${installerId} and a.installation_id = ${installationId}`

/** The worst first. */
export const listOpenAlerts = many(
  alert,
  ($: Params<OfInstallation>) => sql`${alertsWithPanels($)} and a.status <> 'resolved'
    order by array_position(array['critical', 'high', 'medium', 'low'], a.severity), a.triggered_at desc, a.id
    limit ${$.limit}`,
)

export interface ResolvedPlace {
  at: Date
  id: string
}

/** Those that are over, the last one first, from behind one of them on. */
export const listResolvedAlerts = many(
  alert,
  ($: Params<OfInstallation & ResolvedPlace>) => sql`
    ${alertsWithPanels($)} and (a.resolved_at, a.id) < (${$.at}, ${$.id})
    order by a.resolved_at desc, a.id desc limit ${$.limit}`,
)

const actorsByIds = many(
  row<{ id: string; type: string; by: string | null }>({ id: text, type: text, by: text }),
  ($: Params<{ installerId: string; ids: readonly string[] }>) => sql`
    select a.id, e.type, e.actor_name as "by" from unnest(${$.ids}::text[]) as a (id) cross join lateral (
      select type, actor_name from events where installer_id = ${$.installerId} and coalesce(lead_id, subject_id) = a.id
        and type in ('alert.acknowledged', 'alert.resolved') offset 0
    ) e`,
)

/** Who acknowledged and who resolved these alerts. */
export async function listActors(db: Db, installerId: string, ids: readonly string[]) {
  return ids.length === 0 ? [] : actorsByIds(db, { installerId, ids })
}
