import type { Db } from '../../../platform/db.ts'
import { row, text } from '../../../platform/sql/row.ts'
import { type Params, sql } from '../../../platform/sql/sql.ts'
import { many } from '../../../platform/sql/statements.ts'
import type { NewEvent } from '../../journal/events/deal-event.ts'
import { installationRecord } from './installation.ts'
import { panelRecord } from './panel.ts'
import { storedPanel, storedPanelColumns } from './panel-queries.ts'
import { findInstallation } from './queries.ts'

type InstallationId = Params<{ installerId: string; id: string }>

const listPanelsOf = many(
  storedPanel,
  ($: InstallationId) => sql`
    select ${storedPanelColumns('r')} from panels r
    where r.installer_id = ${$.installerId} and r.installation_id = ${$.id} and r.deleted_at is null order by r.id`,
)

// What it made keeps it, and so does whatever refers to it or its panels: alerts, bills, readings in quarantine.
const deleteUnused = many(
  row<{ id: string }>({ id: text }),
  ($: InstallationId) => sql`with unused as (
      select id, company_id, region from installations i
      where i.installer_id = ${$.installerId} and i.id = ${$.id} and i.version = 1
        and not exists (select from panels p
          where p.installer_id = ${$.installerId} and p.installation_id = ${$.id} and p.version <> 1)
        and not exists (select from installation_days d
          where d.installer_id = ${$.installerId} and d.installation_id = ${$.id})
    ), silences as (
      delete from reporting_silences s using unused u
      where s.installer_id = ${$.installerId} and s.installation_id = u.id
    ), panels_removed as (
      delete from panels p using unused u where p.installer_id = ${$.installerId} and p.installation_id = u.id
      returning p.status
    ), panels_counted as (
      update panel_counts c set panels = c.panels - gone.count, changes = c.changes + 1
      from unused u, (select status, count(*) from panels_removed group by status) gone
      where c.installer_id = ${$.installerId} and c.company_id = u.company_id and c.status = gone.status
    ), counted as (
      update installation_counts c set installations = c.installations - 1, changes = c.changes + 1
      from unused u where c.installer_id = ${$.installerId} and c.company_id = u.company_id and c.region = u.region
    )
    delete from installations i using unused u where i.installer_id = ${$.installerId} and i.id = u.id
    returning i.id`,
)

const referred = '23503'

/**
 * Removes an installation that was made just now, with its panels, and answers what is told of it; null where anything has
 * come to it since: then the transaction must end. For whoever holds the tenant's lock.
 */
export async function deleteMadeInstallation(
  tx: Db,
  installerId: string,
  id: string,
): Promise<NewEvent[] | null> {
  const installation = await findInstallation(tx, { installerId, id })
  // Somebody has deleted it meanwhile: nothing is left to be taken away.
  if (!installation) return []
  const panels = await listPanelsOf(tx, { installerId, id })
  const removed = await deleteUnused(tx, { installerId, id }).catch((error: { code?: string }) => {
    if (error.code === referred) return []
    throw error
  })
  if (removed.length === 0) return null
  return [
    ...panels.map(
      (panel): NewEvent => ({
        type: 'panel.deleted',
        subjectId: panel.id,
        data: { ...panelRecord(panel, 0), version: panel.version + 1 },
      }),
    ),
    {
      type: 'installation.deleted',
      subjectId: id,
      data: { ...installationRecord(installation), version: installation.version + 1 },
    },
  ]
}
