import type { Db, Statement } from '../../../platform/db.ts'
import type { NewEvent } from '../../journal/events/deal-event.ts'
import { installationRecord } from './installation.ts'
import { type Panel, panelRecord } from './panel.ts'
import { findInstallation } from './queries.ts'

const panelsStatement: Statement = {
  name: 'panels-of-installation',
  text: `select installer_id as "installerId", id, company_id as "companyId", installation_id as "installationId", name,
      capacity_kw as "capacityKw", status, metadata, version, created_at as "createdAt"
    from panels where installer_id = $1 and installation_id = $2 order by id`,
}

// What it made keeps it, and so does whatever refers to it or its panels: alerts, bills, readings in quarantine.
const removeStatement: Statement = {
  name: 'remove-installation',
  text: `with unused as (
      select id, company_id, region from installations i where i.installer_id = $1 and i.id = $2 and i.version = 1
        and not exists (select from panels p where p.installer_id = $1 and p.installation_id = $2 and p.version <> 1)
        and not exists (select from installation_days d where d.installer_id = $1 and d.installation_id = $2)
    ), silences as (
      delete from reporting_silences s using unused u where s.installer_id = $1 and s.installation_id = u.id
    ), panels_removed as (
      delete from panels p using unused u where p.installer_id = $1 and p.installation_id = u.id returning p.status
    ), panels_counted as (
      update panel_counts c set panels = c.panels - gone.count, changes = c.changes + 1
      from unused u, (select status, count(*) from panels_removed group by status) gone
      where c.installer_id = $1 and c.company_id = u.company_id and c.status = gone.status
    ), counted as (
      update installation_counts c set installations = c.installations - 1, changes = c.changes + 1
      from unused u where c.installer_id = $1 and c.company_id = u.company_id and c.region = u.region
    )
    delete from installations i using unused u where i.installer_id = $1 and i.id = u.id returning i.id`,
}

const referred = '23503'

/**
 * Removes an installation that was made just now, with its panels, and answers what is told of it; null where anything has
 * come to it since: then the transaction must end. For whoever holds the tenant's lock.
 */
export async function removeMadeInstallation(
  tx: Db,
  installerId: string,
  id: string,
): Promise<NewEvent[] | null> {
  const installation = await findInstallation(tx, installerId, id)
  const panels = await tx.query<Panel>(panelsStatement, [installerId, id])
  const removed = await tx.query(removeStatement, [installerId, id]).catch((error: { code?: string }) => {
    if (error.code === referred) return []
    throw error
  })
  if (!installation || removed.length === 0) return null
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
