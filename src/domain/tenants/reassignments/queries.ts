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
  where not lead.archived and case when lead.project_id is null
    then lead.status not in ('lost', 'unqualified')
    else not exists (
      select from projects built
      where built.installer_id = ${$.installerId} and built.id = lead.project_id and built.installation_id is not null
    ) end`

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
