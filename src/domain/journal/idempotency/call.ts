import { setTimeout as pause } from 'node:timers/promises'
import { currentTime } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db.ts'
import { newId } from '../../../platform/ids.ts'
import { CannotOpen, type SecretBox } from '../../../platform/secret-box.ts'
import { DomainError, TryLater } from '../../kernel/domain-error.ts'
import {
  type CallKey,
  type CallRow,
  deleteOldCalls,
  extendClaim,
  findCall,
  finishClaim,
  insertAnswer,
  insertClaim,
  type KeptBody,
  releaseClaim,
  sweptAtOnce,
} from './queries.ts'

/** A call that names a key: sent again, it is done once and answered the same. */
export interface Call extends CallKey {
  /** Of what it asks for. */
  requestHash: string
  /** Of this try, where it is not done in one transaction; null where it is. */
  claim: string | null
  /** Its answer was kept by the statement that did it. */
  kept: boolean
}

/** A call, for the use case that keeps its answer in its own statement. */
export interface KeptBy<Result> {
  call: Call
  answerOf(result: Result): Answer
}

/** As it was sent; `more` is kept beside it. */
export interface Answer {
  status: number
  body: string
  more?: object
}

/** The same call was answered before. */
export class AnsweredBefore extends Error {
  override name = 'AnsweredBefore'
  readonly kept: KeptAnswer

  constructor(kept: KeptAnswer) {
    super('the call was answered before')
    this.kept = kept
  }
}

export interface KeptAnswer {
  status: number
  answer: KeptBody
}

const keptMs = 24 * 3_600_000
/** Longer answers are not kept, only that there was one. */
const maxCharacters = 262_144
/** A try that has not said for so long that it goes on has been broken off. */
const claimMs = 10_000
const sayEveryMs = 3_000
/** Whoever sends the same at the same time waits for the first so long: also for one that was just broken off. */
const waitMs = claimMs + 5_000
const lookEveryMs = 60

export const expiryOf = (now: Date) => new Date(now.getTime() - keptMs)

export function keyUsedOtherwise(): DomainError {
  return new DomainError(
    'invalid',
    'The Idempotency-Key was sent before with another call or body. Use a new one for a new call.',
  )
}

const isUnderWay = ({ status, claimedUntil }: CallRow) => status === null && claimedUntil !== null

/** What the same call was answered; null where there was none, or where it is still being done. */
export async function findAnswer(db: Db, call: Call, now: Date): Promise<KeptAnswer | null> {
  const found = await findCall(db, call)
  if (!found || found.createdAt <= expiryOf(now)) return null
  if (found.requestHash !== call.requestHash) throw keyUsedOtherwise()
  return isUnderWay(found) ? null : { status: found.status ?? 200, answer: found.answer }
}

/** For whoever holds the tenant's lock: of several at once the later ones find what the first was answered. */
export async function requireFirst(tx: Db, call: Call, now: Date): Promise<void> {
  const before = await findAnswer(tx, call, now)
  if (before) throw new AnsweredBefore(before)
}

const sealedFor = ({ installerId, companyId, key }: CallKey) =>
  `idempotency:${installerId}:${companyId}:${key}`

/** What is kept of an answer: sealed, where it shows a secret. */
export function keptForm(call: Call, { body, more }: Answer, sealWith: SecretBox | null = null): string {
  if (body.length > maxCharacters) return JSON.stringify({ ...more })
  const kept: KeptBody = sealWith ? { sealed: sealWith.seal(body, sealedFor(call)) } : { body }
  return JSON.stringify({ ...more, ...kept })
}

/** The body of an answer as it was sent. */
export function bodyOf(call: Call, { answer: { body, sealed } }: KeptAnswer, box: SecretBox): string {
  if (body !== undefined) return body
  try {
    if (sealed !== undefined) return box.open(sealed, sealedFor(call))
  } catch (error) {
    if (!(error instanceof CannotOpen)) throw error
  }
  throw new DomainError(
    'invalid',
    'This call was done before, and its answer is not kept. Read what became of it; a new call needs a new key.',
  )
}

/** Keeps an answer, unless one was kept meanwhile: then that is answered. */
export async function keepAnswer(
  db: Db,
  call: Call,
  { status, ...answer }: Answer,
  sealWith: SecretBox | null,
  now: Date,
): Promise<void> {
  const kept = keptForm(call, { status, ...answer }, sealWith)
  if (await insertAnswer(db, { ...call, status, answer: kept, now, expired: expiryOf(now) })) return
  await requireFirst(db, call, now)
}

/** Work that was begun and goes on. */
export interface Claimed {
  finish(answer: Answer, sealWith: SecretBox | null): Promise<void>
  /** It came to nothing: it may be sent again. */
  release(): Promise<void>
  /** To be called in the end, whatever came of it. */
  stop(): void
}

/**
 * Begins work that takes longer than a transaction should. Of several at once one goes on, and says so while it does;
 * the others wait for its answer. One that was broken off is done again.
 */
export async function claimCall(
  db: Db,
  call: Call,
  givenUp: AbortSignal,
  now: () => Date = currentTime,
): Promise<Claimed> {
  const claim = newId('idem')
  const untilOf = () => new Date(now().getTime() + claimMs)
  const waitUntil = performance.now() + waitMs
  for (;;) {
    givenUp.throwIfAborted()
    const at = now()
    if (await insertClaim(db, { ...call, claim, now: at, until: untilOf(), expired: expiryOf(at) })) break
    const before = await findAnswer(db, call, at)
    if (before) throw new AnsweredBefore(before)
    if (performance.now() > waitUntil)
      throw new TryLater('unavailable', 'The same call is still under way. Retry shortly.', 2)
    await pause(lookEveryMs)
  }
  call.claim = claim
  const saying = setInterval(() => {
    // Where it cannot be said now it is in three seconds.
    extendClaim(db, { ...call, claim, until: untilOf() }).catch(() => {})
  }, sayEveryMs)
  return {
    finish: (answer, sealWith) =>
      finishClaim(db, { ...call, claim, status: answer.status, answer: keptForm(call, answer, sealWith) }),
    release: () => releaseClaim(db, { ...call, claim }),
    stop: () => clearInterval(saying),
  }
}

/** Forgets what was answered longer ago than it is kept. */
export async function sweepCalls(db: Db, now: Date): Promise<void> {
  while ((await deleteOldCalls(db, { before: expiryOf(now) })).count >= sweptAtOnce);
}
