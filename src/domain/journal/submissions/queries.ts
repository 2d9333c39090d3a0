import { folded } from '../../../platform/sql/gather.ts'
import { instant, integer, row, select, text } from '../../../platform/sql/row.ts'
import { type Fragment, type Params, raw, sql } from '../../../platform/sql/sql.ts'
import { maybeOne, one, run } from '../../../platform/sql/statements.ts'

/** Whose it is, and the key that the form was opened with. */
export interface SubmissionKey {
  installerId: string
  memberId: string
  key: string
}

export interface SubmissionRow {
  requestHash: string
  begunAt: Date
  /** Null while it is being done. */
  status: number | null
  /** Null where it is kept no longer. */
  answer: string | null
}

const submission = row<SubmissionRow>({ requestHash: text, begunAt: instant, status: integer, answer: text })

const isIt = ($: Params<SubmissionKey>) =>
  sql`installer_id = ${$.installerId} and member_id = ${$.memberId} and key = ${$.key}`

/** Answers its key where it is the first with it. */
export const insertSubmission = maybeOne(
  row<{ key: string }>({ key: text }),
  ($: Params<SubmissionKey & { requestHash: string; now: Date }>) => sql`
    insert into submissions (installer_id, member_id, key, request_hash, begun_at)
    values (${$.installerId}, ${$.memberId}, ${$.key}, ${$.requestHash}, ${$.now})
    on conflict do nothing returning key`,
)

export const findSubmission = maybeOne(
  submission,
  ($: Params<SubmissionKey>) => sql`select ${select(submission)} from submissions where ${isIt($)}`,
)

export const finishSubmission = run(
  ($: Params<SubmissionKey & { status: number; answer: string | null }>) => sql`
    update submissions set status = ${$.status}, answer = ${$.answer} where ${isIt($)}`,
)

export const deleteSubmission = run(
  ($: Params<SubmissionKey>) => sql`delete from submissions where ${isIt($)}`,
)

/** That they were done stays known. */
export const forgetAnswers = run(
  ($: Params<{ installerId: string }>) => sql`
    update submissions set answer = null where installer_id = ${$.installerId} and answer is not null`,
)

const across = 'the oldest of all companies are found in one index'
/** So many of each shard go at a time. */
export const sweptAtOnce = 1_000

// By where they lie: by their keys, a plan for any number of them would read the whole table.
const oldest = (which: Fragment) => sql`ctid = any(array(
      select s.ctid from submissions s where ${which} order by s.begun_at limit ${raw(sweptAtOnce)}))`
const swept = row<{ count: number }>({ count: integer })

export const forgetOldAnswers = one(
  swept,
  ($: Params<{ before: Date }>) => sql`with forgotten as (
      update submissions set answer = null
      where ${oldest(sql`s.answer is not null and s.begun_at < ${$.before}`)} returning 1
    )
    select count(*)::int as count from forgotten`,
  { across, gather: folded({ count: 'sum' }) },
)

export const deleteOldSubmissions = one(
  swept,
  ($: Params<{ before: Date }>) => sql`with gone as (
      delete from submissions where ${oldest(sql`s.begun_at < ${$.before}`)} returning 1
    )
    select count(*)::int as count from gone`,
  { across, gather: folded({ count: 'sum' }) },
)
