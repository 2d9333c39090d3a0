import { integer, row, select, text } from '../../../platform/sql/row.ts'
import { join, type Params, raw, sql } from '../../../platform/sql/sql.ts'
import { maybeOne, run, scalar, scalars } from '../../../platform/sql/statements.ts'
import type { Reassignment } from './reassignment.ts'

const reassignment = row<Reassignment>({
  installerId: text,
  id: text,
  companyId: text,
  fromMemberId: text,
  toMemberId: text,
  state: text,
  failure: text,
  total: integer,
  done: integer,
  actorId: text,
  actorName: text,
  actorCompanyId: text,
})

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

export const insertReassignment = run(
  ($: Params<Omit<Reassignment, 'state' | 'failure' | 'done'> & { now: Date }>) => sql`
    insert into reassignments (installer_id, id, company_id, from_member_id, to_member_id, state, total,
      actor_id, actor_name, actor_company_id, claimed_until, created_at)
    values (${$.installerId}, ${$.id}, ${$.companyId}, ${$.fromMemberId}, ${$.toMemberId}, 'running', ${$.total},
      ${$.actorId}, ${$.actorName}, ${$.actorCompanyId}, ${$.now}, ${$.now})`,
)

/** The last time that the member's work went to another. */
export const findNewest = maybeOne(
  reassignment,
  ($: Params<OfMember>) => sql`
    select ${select(reassignment)} from reassignments
    where installer_id = ${$.installerId} and from_member_id = ${$.memberId} order by id desc limit 1`,
)

/** Takes up one that nobody works on. */
export const claimReassignment = maybeOne(
  reassignment,
  ($: Params<{ now: Date; until: Date }>) => sql`
    update reassignments r set claimed_until = ${$.until} where (r.installer_id, r.id) = (
      select installer_id, id from reassignments where state = 'running' and claimed_until <= ${$.now}
      order by claimed_until limit 1 for update skip locked
    ) returning ${select(reassignment, 'r')}`,
  { across: 'whoever is free works for any tenant' },
)

type ReassignmentId = Pick<Reassignment, 'installerId' | 'id'>

export const noteProgress = run(
  ($: Params<ReassignmentId & { more: number; until: Date }>) => sql`
    update reassignments set done = done + ${$.more}, claimed_until = ${$.until}
    where installer_id = ${$.installerId} and id = ${$.id} and state = 'running'`,
)

export const endReassignment = run(
  ($: Params<ReassignmentId & Pick<Reassignment, 'state' | 'failure'> & { now: Date }>) => sql`
    update reassignments set state = ${$.state}, failure = ${$.failure}, ended_at = ${$.now}
    where installer_id = ${$.installerId} and id = ${$.id} and state = 'running'`,
)
