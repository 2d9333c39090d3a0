import { integer, text } from '../../../platform/sql/row.ts'
import { join, type Params, raw, sql } from '../../../platform/sql/sql.ts'
import { scalar, scalars } from '../../../platform/sql/statements.ts'

interface OfMember {
  installerId: string
  memberId: string
}

/** What is open: leads that may still be sold, and projects that are not built yet, with the leads they came from. */
function openWork($: Params<OfMember>) {
  const ofLeads = ['sales_rep_id', 'setter_id'].map(
    (slot) => sql`select lead.id from leads lead
      where lead.installer_id = ${$.installerId} and lead.${raw(slot)} = ${$.memberId}
        and not lead.archived and case when lead.project_id is null
          then lead.status not in ('lost', 'unqualified')
          else not exists (
            select from projects built
            where built.installer_id = ${$.installerId} and built.id = lead.project_id and built.installation_id is not null
          ) end`,
  )
  const ofProjects = ['project_manager_id', 'site_surveyor_id', 'subcontractor_id'].map(
    (slot) => sql`select lead.id from projects project cross join lateral (
        select l.id, l.archived from leads l
        where l.installer_id = ${$.installerId} and l.id = project.lead_id offset 0
      ) lead
      where project.installer_id = ${$.installerId} and project.${raw(slot)} = ${$.memberId}
        and project.installation_id is null and not lead.archived`,
  )
  return join([...ofLeads, ...ofProjects], '\n    union ')
}

/** The leads, sold or not, whose open work the member is on. */
export const listOpenWork = scalars(
  { id: text },
  ($: Params<OfMember & { afterId: string; limit: number }>) => sql`
    select id from (${openWork($)}) work where id > ${$.afterId} order by id limit ${$.limit}`,
)

export const countOpenWork = scalar(
  { count: integer },
  ($: Params<OfMember>) => sql`select count(*)::int as count from (${openWork($)}) work`,
)
