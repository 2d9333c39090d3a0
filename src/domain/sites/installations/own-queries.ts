import { type Fragment, join, type Params, raw, sql } from '../../../platform/sql/sql.ts'
import { isOnDeal } from '../../kernel/context.ts'

type Own = Params<{ installerId: string; memberId: string | null | undefined }>

/** Whether a member is on the project of an installation, whose columns are named `i`. */
export const isOnItsProject = ({ installerId, memberId }: Own): Fragment => sql`exists (
    select 1 from projects project join leads lead on lead.installer_id = ${installerId} and lead.id = project.lead_id
    where project.installer_id = ${installerId} and project.id = i.project_id and ${isOnDeal(memberId)})`

const ofLeads = (slot: string, { installerId, memberId }: Own) =>
  sql`select project_id from leads
    where installer_id = ${installerId} and ${raw(slot)} = ${memberId} and project_id is not null`
const ofProjects = (slot: string, { installerId, memberId }: Own) =>
  sql`select id from projects where installer_id = ${installerId} and ${raw(slot)} = ${memberId}`

/** The installations of the projects that a member is on, from the index of each of the places. */
export const installationsOf = ($: Own): Fragment => sql`(
    select found.* from (
      ${join(
        [
          ofLeads('sales_rep_id', $),
          ofLeads('setter_id', $),
          ofProjects('project_manager_id', $),
          ofProjects('site_surveyor_id', $),
          ofProjects('subcontractor_id', $),
        ],
        ' union ',
      )}
    ) as own(project_id) cross join lateral (
      select * from installations where installer_id = ${$.installerId} and project_id = own.project_id offset 0
    ) found)`
