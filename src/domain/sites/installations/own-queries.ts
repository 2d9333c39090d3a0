import { isOn } from '../../kernel/context.ts'

/** Whether a member is on the project of an installation, whose columns are named `i`. */
export const isOnItsProject = (member: string) => `exists (
    select 1 from projects project join leads lead on lead.installer_id = $1 and lead.id = project.lead_id
    where project.installer_id = $1 and project.id = i.project_id and ${isOn(member)})`

const ofLeads = (member: string, slot: string) =>
  `select project_id from leads where installer_id = $1 and ${slot} = ${member} and project_id is not null`
const ofProjects = (member: string, slot: string) =>
  `select id from projects where installer_id = $1 and ${slot} = ${member}`

/** The installations of the projects that a member is on, from the index of each of the places. */
export const installationsOf = (member: string) => `(
    select found.* from (
      ${[
        ofLeads(member, 'sales_rep_id'),
        ofLeads(member, 'setter_id'),
        ofProjects(member, 'project_manager_id'),
        ofProjects(member, 'site_surveyor_id'),
        ofProjects(member, 'subcontractor_id'),
      ].join(' union ')}
    ) as own(project_id) cross join lateral (
      select * from installations where installer_id = $1 and project_id = own.project_id offset 0
    ) found)`
