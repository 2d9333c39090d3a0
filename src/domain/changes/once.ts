import type { Db, Statement } from '../../platform/db.ts'
import type { Actor } from '../context.ts'
import { DomainError } from '../domain-error.ts'

/** The key by which a caller repeats a call, and the hash of what it asks for. */
export interface Once {
  key: string
  requestHash: string
}

const findAnswerStatement: Statement = {
  name: 'find-answer',
  text: `select request_hash as "requestHash", answer from idempotency_keys
    where installer_id = $1 and company_id = $2 and key = $3`,
}

/** What the caller's company was answered to a call of this key, or null where it made none. */
export async function findAnswer<Answer>(db: Db, actor: Actor, once: Once): Promise<Answer | null> {
  const { installerId, companyId } = actor
  const [row] = await db.query<{ requestHash: string; answer: Answer }>(findAnswerStatement, [
    installerId,
    companyId,
    once.key,
  ])
  if (row && row.requestHash !== once.requestHash) {
    throw new DomainError(
      'invalid',
      'Idempotency-Key: this key was sent before with another body. Use a new key for a new call.',
    )
  }
  return row?.answer ?? null
}
