import type { Db } from '../../platform/db.ts'
import { newId } from '../../platform/ids.ts'
import { requireCompany } from '../companies/require-company.ts'
import type { Interface } from '../context.ts'
import { DomainError } from '../domain-error.ts'
import { type Access, type ApiKey, hashOf, interfaces, newSecret, prefixOf } from './key.ts'
import { insertKey } from './queries.ts'

export interface NewKey {
  company: string
  name: string
  access?: Access
  interfaces?: Interface[]
  expiresAt?: Date | null
}

/** Makes a key. The secret is answered here and never again. */
export async function createKey(db: Db, now: Date, input: NewKey): Promise<{ key: ApiKey; secret: string }> {
  const company = await requireCompany(db, input.company)
  if (!input.name.trim()) throw new DomainError('invalid', 'A key needs a name.')
  if (input.expiresAt && input.expiresAt <= now)
    throw new DomainError('invalid', 'The expiry must lie in the future.')
  const secret = newSecret()
  const key: ApiKey = {
    id: newId('key'),
    companyId: company.id,
    name: input.name.trim(),
    prefix: prefixOf(secret),
    access: input.access ?? 'full',
    interfaces: input.interfaces ?? [...interfaces],
    createdAt: now,
    lastUsedAt: null,
    expiresAt: input.expiresAt ?? null,
    revokedAt: null,
  }
  await insertKey(db, key, hashOf(secret))
  return { key, secret }
}
