import type { Db } from '../../../platform/db.ts'
import { json, row, text } from '../../../platform/sql/row.ts'
import { type Params, sql } from '../../../platform/sql/sql.ts'
import { maybeOne, run } from '../../../platform/sql/statements.ts'
import type { Actor, Context } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/domain-error.ts'

/** The key by which a caller repeats a call, and the hash of what it asks for. */
export interface IdempotencyKey {
  key: string
  requestHash: string
}

interface Asked {
  installerId: string
  companyId: string
  key: string
}

const answerOf = maybeOne(
  row<{ requestHash: string; answer: unknown }>({ requestHash: text, answer: json }),
  ($: Params<Asked>) => sql`select request_hash as "requestHash", answer from idempotency_keys
    where installer_id = ${$.installerId} and company_id = ${$.companyId} and key = ${$.key}`,
)

/** What the caller's company was answered to a call of this key, or null where it made none. */
export async function findAnswer<Answer>(
  db: Db,
  actor: Actor,
  idempotencyKey: IdempotencyKey,
): Promise<Answer | null> {
  const { installerId, companyId } = actor
  const found = await answerOf(db, { installerId, companyId, key: idempotencyKey.key })
  if (found && found.requestHash !== idempotencyKey.requestHash) throw keyUsedOtherwise()
  return (found?.answer as Answer | undefined) ?? null
}

export function keyUsedOtherwise(): DomainError {
  return new DomainError(
    'invalid',
    'This key was sent before with another call or body. Use a new key for a new call.',
  )
}

const insertAnswer = run(
  ($: Params<Asked & { requestHash: string; answer: string; now: Date }>) => sql`
    insert into idempotency_keys (installer_id, company_id, key, request_hash, answer, created_at)
    values (${$.installerId}, ${$.companyId}, ${$.key}, ${$.requestHash}, ${$.answer}, ${$.now})`,
)

/** What a call was answered, as it was sent. */
export interface Answered {
  body: string
  /** Whether it was done before, by the same call of the same key. */
  replayed: boolean
}

/**
 * Does what a call asks for, once, and keeps its answer in the same transaction: either both are there, or neither. For
 * whoever holds the tenant's lock, so that of two at the same time the second finds the answer of the first. What is
 * refused keeps nothing. Without a key it is simply done. `repeated` answers where no answer is kept, but what the call
 * did bears its key.
 */
export async function answerIdempotently(
  tx: Db,
  { actor, now }: Pick<Context, 'actor' | 'now'>,
  idempotencyKey: IdempotencyKey | null,
  repeated: () => Promise<string | null>,
  work: () => Promise<string>,
): Promise<Answered> {
  if (!idempotencyKey) return { body: await work(), replayed: false }
  // As text, so that it is answered to the letter: jsonb would put its fields into another order.
  const kept = await findAnswer<{ body: string }>(tx, actor, idempotencyKey)
  const before = kept?.body ?? (await repeated())
  if (before !== null) return { body: before, replayed: true }
  const body = await work()
  const { installerId, companyId } = actor
  await insertAnswer(tx, { installerId, companyId, ...idempotencyKey, answer: JSON.stringify({ body }), now })
  return { body, replayed: false }
}
