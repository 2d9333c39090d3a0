import { type Params, sql } from '../../../platform/sql/sql.ts'
import { run } from '../../../platform/sql/statements.ts'

interface Deleted {
  installerId: string
  id: string
  companyId: string
  region: string
  at: Date
}

/** Takes an installation and its panels out of every list. What they made stays where it is. */
export const deleteInstallationRows = run(
  ($: Params<Deleted>) => sql`with panel as (
      update panels set deleted_at = ${$.at}, updated_at = ${$.at}, version = version + 1
      where installer_id = ${$.installerId} and installation_id = ${$.id} and deleted_at is null
      returning company_id, status
    ), panels_counted as (
      update panel_counts c set panels = c.panels - gone.count, changes = c.changes + 1
      from (select company_id, status, count(*) from panel group by company_id, status) gone
      where c.installer_id = ${$.installerId} and c.company_id = gone.company_id and c.status = gone.status
    ), counted as (
      update installation_counts set installations = installations - 1, changes = changes + 1
      where installer_id = ${$.installerId} and company_id = ${$.companyId} and region = ${$.region}
    )
    update installations set deleted_at = ${$.at}, updated_at = ${$.at}, version = version + 1, panel_count = 0,
      panels_kw = 0, project_id = null, former_project_id = project_id
    where installer_id = ${$.installerId} and id = ${$.id}`,
)
