import { instant, integer, row, select, text } from '../../../platform/sql/row.ts'
import { type Params, sql } from '../../../platform/sql/sql.ts'
import { maybeOne, run } from '../../../platform/sql/statements.ts'

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

const across = 'what one day leaves behind is read through quickly, of all companies at once'

export const forgetOldAnswers = run(
  ($: Params<{ before: Date }>) => sql`
    update submissions set answer = null where answer is not null and begun_at < ${$.before}`,
  { across },
)

export const deleteOldSubmissions = run(
  ($: Params<{ before: Date }>) => sql`delete from submissions where begun_at < ${$.before}`,
  { across },
)
