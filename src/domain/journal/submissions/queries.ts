import type { Db, Statement } from '../../../platform/db.ts'

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

const values = ({ installerId, memberId, key }: SubmissionKey) => [installerId, memberId, key]

const insertStatement: Statement = {
  name: 'insert-submission',
  text: `insert into submissions (installer_id, member_id, key, request_hash, begun_at) values ($1, $2, $3, $4, $5)
    on conflict do nothing returning key`,
}

/** Whether it is the first with this key. */
export async function insertSubmission(
  db: Db,
  submission: SubmissionKey,
  requestHash: string,
  now: Date,
): Promise<boolean> {
  return (await db.query(insertStatement, [...values(submission), requestHash, now])).length > 0
}

const findStatement: Statement = {
  name: 'find-submission',
  text: `select request_hash as "requestHash", begun_at as "begunAt", status, answer from submissions
    where installer_id = $1 and member_id = $2 and key = $3`,
}

export async function findSubmission(db: Db, submission: SubmissionKey): Promise<SubmissionRow | null> {
  const [row] = await db.query<SubmissionRow>(findStatement, values(submission))
  return row ?? null
}

const finishStatement: Statement = {
  name: 'finish-submission',
  text: 'update submissions set status = $4, answer = $5 where installer_id = $1 and member_id = $2 and key = $3',
}

export async function finishSubmission(
  db: Db,
  submission: SubmissionKey,
  status: number,
  answer: string | null,
): Promise<void> {
  await db.query(finishStatement, [...values(submission), status, answer])
}

const deleteStatement: Statement = {
  name: 'delete-submission',
  text: 'delete from submissions where installer_id = $1 and member_id = $2 and key = $3',
}

export async function deleteSubmission(db: Db, submission: SubmissionKey): Promise<void> {
  await db.query(deleteStatement, values(submission))
}

const forgetStatement: Statement = {
  name: 'forget-submission-answers',
  text: 'update submissions set answer = null where installer_id = $1 and answer is not null',
}

/** That they were done stays known. */
export async function forgetAnswers(db: Db, installerId: string): Promise<void> {
  await db.query(forgetStatement, [installerId])
}

// Of all companies at once: what one day leaves behind is read through quickly.
const forgetOldStatement: Statement = {
  name: 'forget-old-submission-answers',
  text: `update submissions set answer = null where answer is not null and begun_at < $1 returning installer_id`,
}

const deleteOldStatement: Statement = {
  name: 'delete-old-submissions',
  text: 'delete from submissions where begun_at < $1 returning installer_id',
}

export async function forgetOldAnswers(db: Db, before: Date): Promise<void> {
  await db.query(forgetOldStatement, [before])
}

export async function deleteOldSubmissions(db: Db, before: Date): Promise<void> {
  await db.query(deleteOldStatement, [before])
}
