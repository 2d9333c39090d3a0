import { setTimeout as pause } from 'node:timers/promises'
import { currentTime } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db.ts'
import { CannotOpen, type SecretBox } from '../../../platform/secret-box.ts'
import { DomainError, TryLater } from '../../kernel/domain-error.ts'
import {
  deleteOldSubmissions,
  deleteSubmission,
  findSubmission,
  finishSubmission,
  forgetOldAnswers,
  insertSubmission,
  type SubmissionKey,
  sweptAtOnce,
} from './queries.ts'

/** It was done before, and what was answered is not known any more. */
export class AlreadyDone extends DomainError {
  constructor(message: string) {
    super('invalid', message)
  }
}

export interface Answered {
  status: number
  answer: string
}

/** How long an answer can be had again, and how long it is known that there was one. */
const answerKeptMs = 3_600_000
const retentionMs = 24 * 3_600_000
/** Whoever sends the same at the same time waits for the first so long. */
const waitMs = 10_000
const lookEveryMs = 60
/** No call takes longer: what is under way after this was broken off. */
const longestMs = 120_000
/** Longer answers are not kept: no form shows one. */
const maxAnswerCharacters = 65_536

const sealedFor = ({ installerId, memberId, key }: SubmissionKey) =>
  `submission:${installerId}:${memberId}:${key}`

/**
 * Begins what a form sends. Null where it is the first with this key, which is then to be ended by `keepAnswer` or
 * `giveUp`; else what the first was answered, which is waited for.
 */
export async function startSubmission(
  db: Db,
  box: SecretBox,
  submission: SubmissionKey,
  requestHash: string,
  now: () => Date = () => currentTime(),
): Promise<Answered | null> {
  const until = performance.now() + waitMs
  for (;;) {
    if (await insertSubmission(db, { ...submission, requestHash, now: now() })) return null
    const first = await findSubmission(db, submission)
    // Given up meanwhile: it is this one's turn.
    if (!first) continue
    if (first.requestHash !== requestHash) {
      throw new AlreadyDone(
        'This form was sent before, with something else in it, and that was taken. Look at what became of it, then send what is still to be changed.',
      )
    }
    if (first.status !== null) return { status: first.status, answer: opened(box, submission, first.answer) }
    if (now().getTime() - first.begunAt.getTime() > longestMs) {
      throw new AlreadyDone(
        'This was sent before and broken off, and nobody knows whether it was done. Look whether it is there before you send it again.',
      )
    }
    if (performance.now() > until)
      throw new TryLater('unavailable', 'The same is still being done. Wait a moment, then look again.', 2)
    await pause(lookEveryMs)
  }
}

function opened(box: SecretBox, submission: SubmissionKey, answer: string | null): string {
  try {
    if (answer !== null) return box.open(answer, sealedFor(submission))
  } catch (error) {
    if (!(error instanceof CannotOpen)) throw error
  }
  throw new AlreadyDone('This was done before. What was answered is not kept any more: open the page again.')
}

/** Ends what was begun: the same is answered to whoever sends it again. */
export async function keepAnswer(
  db: Db,
  box: SecretBox,
  submission: SubmissionKey,
  { status, answer }: Answered,
): Promise<void> {
  const kept = answer.length <= maxAnswerCharacters ? box.seal(answer, sealedFor(submission)) : null
  await finishSubmission(db, { ...submission, status, answer: kept })
}

/** Ends what was begun and came to nothing: it may be sent again. */
export async function giveUp(db: Db, submission: SubmissionKey): Promise<void> {
  await deleteSubmission(db, submission)
}

export async function sweepSubmissions(db: Db, now: Date): Promise<void> {
  const sweep = async (some: typeof deleteOldSubmissions, keptMs: number) => {
    while ((await some(db, { before: new Date(now.getTime() - keptMs) })).count >= sweptAtOnce);
  }
  await sweep(forgetOldAnswers, answerKeptMs)
  await sweep(deleteOldSubmissions, retentionMs)
}
