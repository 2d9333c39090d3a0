import { integer, text } from '../../../platform/sql/row.ts'
import { type Params, sql } from '../../../platform/sql/sql.ts'
import { scalar, scalars } from '../../../platform/sql/statements.ts'
import { ownLeads } from '../../deals/assignments/own-deals.ts'

interface OfMember {
  installerId: string
  memberId: string
}

/** What is open: leads that may still be sold, and projects that are not built yet, as the leads they came from. */
const openWork = ($: Params<OfMember>) => sql`
  select lead.id from ${ownLeads($)} lead
    left join projects project on project.installer_id = ${$.installerId} and project.id = lead.project_id
  where not lead.archived and case when lead.project_id is null
    then lead.status not in ('lost', 'unqualified') else project.installation_id is null end`

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
