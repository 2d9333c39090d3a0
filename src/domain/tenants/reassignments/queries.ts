import type { Db, Statement } from '../../../platform/db.ts'
import type { Reassignment } from './reassignment.ts'

const columns = `r.installer_id as "installerId", r.id, r.company_id as "companyId",
  r.from_member_id as "fromMemberId", r.to_member_id as "toMemberId", r.state, r.failure, r.total, r.done,
  r.actor_id as "actorId", r.actor_name as "actorName", r.actor_company_id as "actorCompanyId"`

// What is open: leads that may still be sold, and projects that are not built yet, with the leads they came from.
const goesOn = `not lead.archived and case when lead.project_id is null
    then lead.status not in ('lost', 'unqualified')
    else not exists (
      select from projects built where built.installer_id = $1 and built.id = lead.project_id and built.installation_id is not null
    ) end`
const ofLeads = (slot: string) =>
  `select lead.id from leads lead where lead.installer_id = $1 and lead.${slot} = $2 and ${goesOn}`
const ofProjects = (slot: string) =>
  `select lead.id from projects project cross join lateral (
      select l.id, l.archived from leads l where l.installer_id = $1 and l.id = project.lead_id offset 0
    ) lead
    where project.installer_id = $1 and project.${slot} = $2 and project.installation_id is null and not lead.archived`
const openWork = [
  ...['sales_rep_id', 'setter_id'].map(ofLeads),
  ...['project_manager_id', 'site_surveyor_id', 'subcontractor_id'].map(ofProjects),
].join('\n    union ')

const workStatement: Statement = {
  name: 'open-work-of-member',
  text: `select id from (${openWork}) work where id > $3 order by id limit $4`,
}

/** The leads, sold or not, whose open work the member is on. */
export async function listOpenWork(
  db: Db,
  installerId: string,
  memberId: string,
  afterId: string,
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(workStatement, [installerId, memberId, afterId, limit])
  return rows.map(({ id }) => id)
}

const countStatement: Statement = {
  name: 'count-open-work',
  text: `select count(*)::int as count from (${openWork}) work`,
}

export async function countOpenWork(db: Db, installerId: string, memberId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(countStatement, [installerId, memberId])
  return row!.count
}

const insertStatement: Statement = {
  name: 'insert-reassignment',
  text: `insert into reassignments (installer_id, id, company_id, from_member_id, to_member_id, state, total,
      actor_id, actor_name, actor_company_id, claimed_until, created_at)
    values ($1, $2, $3, $4, $5, 'running', $6, $7, $8, $9, $10, $10)`,
}

export async function insertReassignment(
  tx: Db,
  order: Omit<Reassignment, 'state' | 'failure' | 'done'>,
  now: Date,
): Promise<void> {
  await tx.query(insertStatement, [
    order.installerId,
    order.id,
    order.companyId,
    order.fromMemberId,
    order.toMemberId,
    order.total,
    order.actorId,
    order.actorName,
    order.actorCompanyId,
    now.toISOString(),
  ])
}

const newestStatement: Statement = {
  name: 'newest-reassignment',
  text: `select ${columns} from reassignments r
    where r.installer_id = $1 and r.from_member_id = $2 order by r.id desc limit 1`,
}

/** The last time that the member's work went to another. */
export async function findNewest(
  db: Db,
  installerId: string,
  memberId: string,
): Promise<Reassignment | null> {
  const [row] = await db.query<Reassignment>(newestStatement, [installerId, memberId])
  return row ?? null
}

const claimStatement: Statement = {
  name: 'claim-reassignment',
  text: `update reassignments r set claimed_until = $2 where (r.installer_id, r.id) = (
      select installer_id, id from reassignments where state = 'running' and claimed_until <= $1
      order by claimed_until limit 1 for update skip locked
    ) returning ${columns}`,
}

/** Takes up one that nobody works on, of any tenant. */
export async function claimReassignment(db: Db, now: Date, until: Date): Promise<Reassignment | null> {
  const [row] = await db.query<Reassignment>(claimStatement, [now.toISOString(), until.toISOString()])
  return row ?? null
}

const progressStatement: Statement = {
  name: 'note-reassignment-progress',
  text: `update reassignments set done = done + $3, claimed_until = $4
    where installer_id = $1 and id = $2 and state = 'running' returning done`,
}

export async function noteProgress(
  tx: Db,
  { installerId, id }: Reassignment,
  done: number,
  claimedUntil: Date,
): Promise<void> {
  await tx.query(progressStatement, [installerId, id, done, claimedUntil.toISOString()])
}

const endStatement: Statement = {
  name: 'end-reassignment',
  text: `update reassignments set state = $3, failure = $4, ended_at = $5
    where installer_id = $1 and id = $2 and state = 'running'`,
}

export async function endReassignment(
  tx: Db,
  { installerId, id }: Reassignment,
  { state, failure }: Pick<Reassignment, 'state' | 'failure'>,
  now: Date,
): Promise<void> {
  await tx.query(endStatement, [installerId, id, state, failure, now.toISOString()])
}
