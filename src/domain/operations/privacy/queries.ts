import type { Db } from '../../../platform/db.ts'
import { inOrder } from '../../../platform/sql/gather.ts'
import { boolean, instant, json, row, select, text, texts } from '../../../platform/sql/row.ts'
import { type Params, sql } from '../../../platform/sql/sql.ts'
import { many, maybeOne, one, run } from '../../../platform/sql/statements.ts'
import type { Erasure, ErasureReason } from './erasure.ts'

type ErasureKey = Pick<Erasure, 'installerId' | 'leadId'>

const erasureKey = row<ErasureKey>({ installerId: text, leadId: text })

interface Written extends Omit<Erasure, 'person' | 'projectId' | 'ids'> {
  person: string
  externalIdHash: string | null
  claimedUntil: Date
}

const writeErasure = one(
  row<{ at: Date }>({ at: instant }),
  ($: Params<Written>) => sql`
    insert into erasures (installer_id, lead_id, company_id, reason, erased_at, external_id_hash, person, claimed_until)
    values (${$.installerId}, ${$.leadId}, ${$.companyId}, ${$.reason}, ${$.erasedAt},
      decode(${$.externalIdHash}, 'hex'), ${$.person}, ${$.claimedUntil})
    on conflict (installer_id, lead_id) do update set person = excluded.person, done_at = null,
      claimed_until = excluded.claimed_until
    returning erased_at as at`,
)

/** Says that a lead is erased and what is left to do, and answers since when: one that was erased before is gone through once more. */
export async function insertErasure(
  tx: Db,
  erasure: Erasure,
  externalIdHash: string | null,
  claimedUntil: Date,
): Promise<Date> {
  const person = JSON.stringify(erasure.person)
  return (await writeErasure(tx, { ...erasure, person, externalIdHash, claimedUntil })).at
}

const findUnfinished = maybeOne(
  erasureKey,
  ($: Params<{ now: Date }>) => sql`
    select ${select(erasureKey)} from erasures where done_at is null and claimed_until < ${$.now}
    order by installer_id, lead_id limit 1 for update skip locked`,
  { across: 'which company has one that nobody works on' },
)

const erasure = row<Erasure>({
  installerId: text,
  leadId: text,
  companyId: text,
  projectId: text,
  ids: texts,
  reason: text,
  erasedAt: instant,
  person: json,
})

const claimOne = maybeOne(
  erasure,
  ($: Params<ErasureKey & { now: Date; until: Date }>) => sql`with claimed as (
      update erasures set claimed_until = ${$.until}
      where installer_id = ${$.installerId} and lead_id = ${$.leadId} and done_at is null and claimed_until < ${$.now}
      returning installer_id, lead_id
    )
    select ${select(erasure, 'e', {
      projectId: sql`l.project_id`,
      ids: sql`array_remove(array[l.id, l.reference, p.id, p.reference], null)`,
    })}
    from erasures e join leads l on l.installer_id = e.installer_id and l.id = e.lead_id
      left join projects p on p.installer_id = l.installer_id and p.id = l.project_id
      join claimed c on c.installer_id = e.installer_id and c.lead_id = e.lead_id`,
)

/** One that was begun and that nobody works on. */
export async function claimErasure(db: Db, now: Date, until: Date): Promise<Erasure | null> {
  for (;;) {
    const found = await findUnfinished(db, { now })
    if (!found) return null
    // Where another was quicker, it is none that nobody works on any more.
    const claimed = await claimOne(db, { ...found, now, until })
    if (claimed) return claimed
  }
}

/** Somebody still works on it. */
export const keepErasure = run(
  ($: Params<ErasureKey & { until: Date }>) => sql`
    update erasures set claimed_until = ${$.until}
    where installer_id = ${$.installerId} and lead_id = ${$.leadId} and done_at is null`,
)

export const endErasure = run(
  ($: Params<ErasureKey & { now: Date }>) => sql`
    update erasures set done_at = ${$.now}, person = null
    where installer_id = ${$.installerId} and lead_id = ${$.leadId} and done_at is null`,
)

/** A line of the list that is kept outside the database: no names, only which and when. */
export interface ListedErasure {
  installerId: string
  companyId: string
  leadId: string
  erasedAt: Date
  reason: ErasureReason
}

const listedErasure = row<ListedErasure>({
  installerId: text,
  companyId: text,
  leadId: text,
  erasedAt: instant,
  reason: text,
})
const listed = select(listedErasure)
const across = 'the list outside the database is of all companies'

export const listUnlisted = many(
  listedErasure,
  ($: Params<{ limit: number }>) => sql`
    select ${listed} from erasures where not listed order by installer_id, lead_id limit ${$.limit}`,
  { across, gather: inOrder('installerId', 'leadId') },
)

/** Everybody who was ever erased, by key. */
export const listErasures = many(
  listedErasure,
  ($: Params<{ afterInstaller: string; afterLead: string; limit: number }>) => sql`
    select ${listed} from erasures where (installer_id, lead_id) > (${$.afterInstaller}, ${$.afterLead})
    order by installer_id, lead_id limit ${$.limit}`,
  { across, gather: inOrder('installerId', 'leadId') },
)

const listedLead = row<{ leadId: string; erased: boolean }>({ leadId: text, erased: boolean })

/** Of leads on the list those that are in the database, and whether they are erased in it. */
export const findListed = many(
  listedLead,
  ($: Params<{ installerId: string; leadIds: readonly string[] }>) => sql`
    select l.id as "leadId", l.erased_at is not null as erased from leads l
    where l.installer_id = ${$.installerId} and l.id = any(${$.leadIds}::text[])`,
)

export const markListed = run(
  ($: Params<{ installerId: string; leadIds: readonly string[] }>) => sql`
    update erasures set listed = true
    where installer_id = ${$.installerId} and lead_id = any(${$.leadIds}::text[])`,
)

interface OfProject {
  installerId: string
  projectId: string
}

/** What was shared of a project: the log calls it by the names of files. */
export const listLinks = many(
  row<{ id: string }>({ id: text }),
  ($: Params<OfProject>) => sql`
    select id from shared_links where installer_id = ${$.installerId} and project_id = ${$.projectId} order by id`,
)

/** Their addresses answer no more, nor do those that were shared; contents and names go after it. */
export const revokeFiles = run(
  ($: Params<OfProject & { at: Date }>) => sql`with links as (
      update shared_links set ended_at = ${$.at}
      where installer_id = ${$.installerId} and project_id = ${$.projectId} and ended_at is null
    ), revoked as (
      update files set revoked_at = ${$.at}
      where installer_id = ${$.installerId} and project_id = ${$.projectId} and revoked_at is null
      returning company_id, size
    )
    update storage_usage s set bytes = greatest(0, s.bytes - r.bytes)
    from (select company_id, sum(size) as bytes from revoked group by company_id) r
    where s.installer_id = ${$.installerId} and s.company_id = r.company_id`,
)
