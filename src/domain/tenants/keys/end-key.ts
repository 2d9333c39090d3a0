import type { Database, Db } from '../../../platform/db.ts'
import { withinTransaction } from '../../../platform/within-transaction.ts'
import { commandLine } from '../../journal/audit/command-line.ts'
import { recordSetting } from '../../journal/audit/record-setting.ts'
import type { Actor } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { requireCompany } from '../../kernel/tenant/require-company.ts'
import { createKey } from './create-key.ts'
import type { ApiKey } from './key.ts'
import { endKey, findKeys, lockKey } from './queries.ts'

/** Locked until the transaction ends: of two who end the same key the second sees what the first did. */
async function oneKey(tx: Db, idOrPrefix: string): Promise<ApiKey & { installerId: string }> {
  const [key, other] = await findKeys(tx, { idOrPrefix })
  if (!key) throw new DomainError('not_found', `There is no key ${idOrPrefix}.`)
  if (other)
    throw new DomainError('invalid', `Several keys begin with ${idOrPrefix}: name the key by its id.`)
  return { ...(await lockKey(tx, key)), installerId: key.installerId }
}

async function noteEnd(
  tx: Db,
  now: Date,
  key: ApiKey,
  by: Actor | undefined,
  type: 'key.revoked' | 'key.rolled',
  changes: Record<string, [from: unknown, to: unknown]>,
): Promise<void> {
  const actor = by ?? commandLine(await requireCompany(tx, key.companyId))
  const { companyId, id: subjectId, name } = key
  await recordSetting(tx, actor, now, { type, companyId, subjectId, name, changes })
}

/** Refuses the key from now on. */
export async function revokeKey(db: Database, now: Date, idOrPrefix: string, by?: Actor): Promise<ApiKey> {
  return db.transaction(async (tx) => {
    const key = await oneKey(tx, idOrPrefix)
    if (key.revokedAt) return key
    await endKey(tx, { ...key, revokedAt: now, expiresAt: null, replacedBy: null })
    await noteEnd(tx, now, key, by, 'key.revoked', { revokedAt: [null, now] })
    return { ...key, revokedAt: now }
  })
}

export const maxGraceHours = 24

/** Makes a new key like the old one, which stays valid for the grace. */
export async function rollKey(
  db: Database,
  now: Date,
  idOrPrefix: string,
  graceHours: number,
  by?: Actor,
): Promise<{ key: ApiKey; secret: string; oldValidUntil: Date }> {
  if (!(graceHours >= 0 && graceHours <= maxGraceHours)) {
    throw new DomainError('invalid', `The grace must be 0 to ${maxGraceHours} hours.`)
  }
  return db.transaction(async (tx) => {
    const old = await oneKey(tx, idOrPrefix)
    if (old.revokedAt || (old.expiresAt && old.expiresAt <= now)) {
      throw new DomainError('invalid', 'This key is no longer valid. Create a new one instead.')
    }
    if (old.replacedBy) {
      throw new DomainError('invalid', 'This key was rolled already. Roll the one that replaced it instead.')
    }
    const made = await createKey(
      withinTransaction(tx),
      now,
      {
        company: old.companyId,
        name: old.name,
        access: old.access,
        interfaces: old.interfaces,
        agentName: old.agentName,
        proposes: old.proposes,
        expiresAt: old.expiresAt,
      },
      by,
    )
    const until = new Date(now.getTime() + graceHours * 3_600_000)
    const oldValidUntil = old.expiresAt && old.expiresAt < until ? old.expiresAt : until
    const revokedAt = graceHours === 0 ? now : null
    await endKey(tx, { ...old, revokedAt, expiresAt: oldValidUntil, replacedBy: made.key.id })
    await noteEnd(tx, now, old, by, 'key.rolled', {
      expiresAt: [old.expiresAt, oldValidUntil],
      replacedBy: [null, made.key.prefix],
    })
    return { ...made, oldValidUntil }
  })
}
