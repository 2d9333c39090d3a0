import type { Db, Statement } from '../../../platform/db.ts'
import type { Erasure, ErasureReason } from './erasure.ts'

const columns = `e.installer_id as "installerId", e.lead_id as "leadId", e.company_id as "companyId", l.project_id as "projectId",
  array_remove(array[l.id, l.reference, p.id, p.reference], null) as ids, e.reason, e.erased_at as "erasedAt", e.person`
const source = `erasures e join leads l on l.installer_id = e.installer_id and l.id = e.lead_id
  left join projects p on p.installer_id = l.installer_id and p.id = l.project_id`

const insertStatement: Statement = {
  name: 'insert-erasure',
  text: `insert into erasures (installer_id, lead_id, company_id, reason, erased_at, external_id_hash, person, claimed_until)
    values ($1, $2, $3, $4, $5, decode($6, 'hex'), $7, $8)
    on conflict (installer_id, lead_id) do update set person = excluded.person, done_at = null,
      claimed_until = excluded.claimed_until
    returning erased_at as at`,
}

/** Says that a lead is erased and what is left to do, and answers since when: one that was erased before is gone through once more. */
export async function insertErasure(
  tx: Db,
  erasure: Erasure,
  externalIdHash: string | null,
  claimedUntil: Date,
): Promise<Date> {
  const { installerId, leadId, companyId, reason, erasedAt, person } = erasure
  const [row] = await tx.query<{ at: Date }>(insertStatement, [
    installerId,
    leadId,
    companyId,
    reason,
    erasedAt.toISOString(),
    externalIdHash,
    JSON.stringify(person),
    claimedUntil.toISOString(),
  ])
  return row!.at
}

const claimStatement: Statement = {
  name: 'claim-erasure',
  text: `with claimed as (
      update erasures set claimed_until = $2
      where (installer_id, lead_id) = (select installer_id, lead_id from erasures
          where done_at is null and claimed_until < $1 order by installer_id, lead_id limit 1 for update skip locked)
      returning installer_id, lead_id
    )
    select ${columns} from ${source} join claimed c on c.installer_id = e.installer_id and c.lead_id = e.lead_id`,
}

/** One that was begun and that nobody works on. */
export async function claimErasure(db: Db, now: Date, until: Date): Promise<Erasure | null> {
  const [row] = await db.query<Erasure>(claimStatement, [now.toISOString(), until.toISOString()])
  return row ?? null
}

const keepStatement: Statement = {
  name: 'keep-erasure',
  text: 'update erasures set claimed_until = $3 where installer_id = $1 and lead_id = $2 and done_at is null',
}

/** Somebody still works on it. */
export async function keepErasure(db: Db, { installerId, leadId }: Erasure, until: Date): Promise<void> {
  await db.query(keepStatement, [installerId, leadId, until.toISOString()])
}

const doneStatement: Statement = {
  name: 'end-erasure',
  text: 'update erasures set done_at = $3, person = null where installer_id = $1 and lead_id = $2 and done_at is null',
}

export async function endErasure(db: Db, { installerId, leadId }: Erasure, now: Date): Promise<void> {
  await db.query(doneStatement, [installerId, leadId, now.toISOString()])
}

/** A line of the list that is kept outside the database: no names, only which and when. */
export interface ListedErasure {
  installerId: string
  companyId: string
  leadId: string
  erasedAt: Date
  reason: ErasureReason
}

const listed = `installer_id as "installerId", company_id as "companyId", lead_id as "leadId", erased_at as "erasedAt", reason`
const unlistedStatement: Statement = {
  name: 'erasures-not-listed',
  text: `select ${listed} from erasures where not listed order by installer_id, lead_id limit $1`,
}

export function listUnlisted(db: Db, limit: number): Promise<ListedErasure[]> {
  return db.query<ListedErasure>(unlistedStatement, [limit])
}

const allStatement: Statement = {
  name: 'erasures',
  text: `select ${listed} from erasures where (installer_id, lead_id) > ($1, $2) order by installer_id, lead_id limit $3`,
}

/** Everybody who was ever erased, by key. */
export function listErasures(
  db: Db,
  after: Pick<ListedErasure, 'installerId' | 'leadId'>,
  limit: number,
): Promise<ListedErasure[]> {
  return db.query<ListedErasure>(allStatement, [after.installerId, after.leadId, limit])
}

const findListedStatement: Statement = {
  name: 'listed-leads',
  text: `select l.installer_id as "installerId", l.id as "leadId", l.erased_at is not null as erased
    from unnest($1::text[], $2::text[]) as d(installer_id, lead_id)
    join leads l on l.installer_id = d.installer_id and l.id = d.lead_id`,
}

/** Of leads on the list those that are in the database, and whether they are erased in it. */
export function findListed(
  db: Db,
  entries: readonly Pick<ListedErasure, 'installerId' | 'leadId'>[],
): Promise<(Pick<ListedErasure, 'installerId' | 'leadId'> & { erased: boolean })[]> {
  return db.query(findListedStatement, [
    entries.map(({ installerId }) => installerId),
    entries.map(({ leadId }) => leadId),
  ])
}

const markListedStatement: Statement = {
  name: 'mark-erasures-listed',
  text: `update erasures e set listed = true from unnest($1::text[], $2::text[]) as d(installer_id, lead_id)
    where e.installer_id = d.installer_id and e.lead_id = d.lead_id`,
}

export async function markListed(db: Db, erasures: readonly ListedErasure[]): Promise<void> {
  await db.query(markListedStatement, [
    erasures.map(({ installerId }) => installerId),
    erasures.map(({ leadId }) => leadId),
  ])
}

const revokeFilesStatement: Statement = {
  name: 'revoke-files-of-project',
  text: `with links as (
      update shared_links set ended_at = $3 where installer_id = $1 and project_id = $2 and ended_at is null
    ), revoked as (
      update files set revoked_at = $3 where installer_id = $1 and project_id = $2 and revoked_at is null
      returning company_id, size
    )
    update storage_usage s set bytes = greatest(0, s.bytes - r.bytes)
    from (select company_id, sum(size) as bytes from revoked group by company_id) r
    where s.installer_id = $1 and s.company_id = r.company_id`,
}

const linksStatement: Statement = {
  name: 'links-of-project',
  text: 'select id from shared_links where installer_id = $1 and project_id = $2 order by id',
}

/** What was shared of a project: the log calls it by the names of files. */
export async function listLinkIds(db: Db, installerId: string, projectId: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(linksStatement, [installerId, projectId])
  return rows.map(({ id }) => id)
}

/** Their addresses answer no more, nor do those that were shared; contents and names go after it. */
export async function revokeFiles(tx: Db, installerId: string, projectId: string, at: Date): Promise<void> {
  await tx.query(revokeFilesStatement, [installerId, projectId, at.toISOString()])
}
