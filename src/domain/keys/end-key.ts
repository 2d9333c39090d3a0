import type { Database, Db } from '../../platform/db.ts'
import { DomainError } from '../domain-error.ts'
import { createKey } from './create-key.ts'
import type { ApiKey } from './key.ts'
import { endKey, findKeys } from './queries.ts'

async function oneKey(db: Db, idOrPrefix: string): Promise<ApiKey> {
  const [key, other] = await findKeys(db, idOrPrefix)
  if (!key) throw new DomainError('not_found', `There is no key ${idOrPrefix}.`)
  if (other)
    throw new DomainError('invalid', `Several keys begin with ${idOrPrefix}: name the key by its id.`)
  return key
}

/** Refuses the key from now on. */
export async function revokeKey(db: Db, now: Date, idOrPrefix: string): Promise<ApiKey> {
  const key = await oneKey(db, idOrPrefix)
  await endKey(db, key.id, now, null)
  return { ...key, revokedAt: key.revokedAt ?? now }
}

const maxGraceHours = 24

/** Makes a new key like the old one, which stays valid for the grace. */
export async function rollKey(
  db: Database,
  now: Date,
  idOrPrefix: string,
  graceHours: number,
): Promise<{ key: ApiKey; secret: string; oldValidUntil: Date }> {
  if (!(graceHours >= 0 && graceHours <= maxGraceHours)) {
    throw new DomainError('invalid', `The grace must be 0 to ${maxGraceHours} hours.`)
  }
  return db.transaction(async (tx) => {
    const old = await oneKey(tx, idOrPrefix)
    if (old.revokedAt || (old.expiresAt && old.expiresAt <= now)) {
      throw new DomainError('invalid', 'This key is no longer valid. Create a new one instead.')
    }
    const made = await createKey(tx, now, {
      company: old.companyId,
      name: old.name,
      access: old.access,
      interfaces: old.interfaces,
      expiresAt: old.expiresAt,
    })
    const until = new Date(now.getTime() + graceHours * 3_600_000)
    const oldValidUntil = old.expiresAt && old.expiresAt < until ? old.expiresAt : until
    await endKey(tx, old.id, graceHours === 0 ? now : null, oldValidUntil)
    return { ...made, oldValidUntil }
  })
}
