import { folded } from '../../../platform/sql/gather.ts'
import { instant, integer, json, row, select, text } from '../../../platform/sql/row.ts'
import { type Params, raw, sql } from '../../../platform/sql/sql.ts'
import { exists, maybeOne, one, run } from '../../../platform/sql/statements.ts'

/** The key by which a company names a call that it may send again. */
export interface CallKey {
  installerId: string
  companyId: string
  key: string
}

/** Of a body that is not there the answer was too long to be kept; one that shows a secret is sealed. */
export interface KeptBody {
  body?: string
  sealed?: string
}

export interface CallRow {
  requestHash: string
  /** Null while it is being done, and of what the version before kept. */
  status: number | null
  answer: KeptBody
  createdAt: Date
  /** Null where nobody does it any more. */
  claimedUntil: Date | null
}

const call = row<CallRow>({
  requestHash: text,
  status: integer,
  answer: json,
  createdAt: instant,
  claimedUntil: instant,
})

const isIt = ($: Params<CallKey>) =>
  sql`installer_id = ${$.installerId} and company_id = ${$.companyId} and key = ${$.key}`

export const findCall = maybeOne(
  call,
  ($: Params<CallKey>) => sql`select ${select(call)} from idempotency_keys where ${isIt($)}`,
)

interface NewAnswer extends CallKey {
  requestHash: string
  status: number
  answer: string
  now: Date
  /** What is older than this is forgotten. */
  expired: Date
}

/** Keeps an answer where none is kept, and says whether it did. */
export const insertAnswer = exists(
  ($: Params<NewAnswer>) => sql`
    insert into idempotency_keys as k (installer_id, company_id, key, request_hash, status, answer, created_at)
    values (${$.installerId}, ${$.companyId}, ${$.key}, ${$.requestHash}, ${$.status}, ${$.answer}::jsonb, ${$.now})
    on conflict (installer_id, company_id, key) do update set request_hash = excluded.request_hash,
      status = excluded.status, answer = excluded.answer, created_at = excluded.created_at, claim = null, claimed_until = null
      where k.created_at <= ${$.expired}
    returning key`,
)

interface NewClaim extends CallKey {
  requestHash: string
  claim: string
  now: Date
  until: Date
  expired: Date
}

/** Begins a call where nobody did, or where whoever did the same has gone; says whether it did. */
export const insertClaim = exists(
  ($: Params<NewClaim>) => sql`
    insert into idempotency_keys as k (installer_id, company_id, key, request_hash, answer, created_at, claim, claimed_until)
    values (${$.installerId}, ${$.companyId}, ${$.key}, ${$.requestHash}, '{}'::jsonb, ${$.now}, ${$.claim}, ${$.until})
    on conflict (installer_id, company_id, key) do update set request_hash = excluded.request_hash, status = null,
      answer = excluded.answer, created_at = excluded.created_at, claim = excluded.claim,
      claimed_until = excluded.claimed_until
      where k.created_at <= ${$.expired}
        or k.status is null and k.claimed_until < ${$.now} and k.request_hash = excluded.request_hash
    returning key`,
)

const isClaimed = ($: Params<CallKey & { claim: string }>) =>
  sql`${isIt($)} and claim = ${$.claim} and status is null`

export const extendClaim = run(
  ($: Params<CallKey & { claim: string; until: Date }>) => sql`
    update idempotency_keys set claimed_until = ${$.until} where ${isClaimed($)}`,
)

export const finishClaim = run(
  ($: Params<CallKey & { claim: string; status: number; answer: string }>) => sql`
    update idempotency_keys set status = ${$.status}, answer = ${$.answer}::jsonb, claimed_until = null
    where ${isClaimed($)}`,
)

export const releaseClaim = run(
  ($: Params<CallKey & { claim: string }>) => sql`delete from idempotency_keys where ${isClaimed($)}`,
)

/** So many of each shard go at a time. */
export const sweptAtOnce = 1_000

// By where they lie: by their keys, a plan for any number of them would read the whole table.
export const deleteOldCalls = one(
  row<{ count: number }>({ count: integer }),
  ($: Params<{ before: Date }>) => sql`with gone as (
      delete from idempotency_keys where ctid = any(array(
        select k.ctid from idempotency_keys k where k.created_at < ${$.before}
        order by k.created_at limit ${raw(sweptAtOnce)}))
      returning 1
    )
    select count(*)::int as count from gone`,
  { across: 'the oldest of all companies are found in one index', gather: folded({ count: 'sum' }) },
)
