import type { Database } from '../../../platform/db.ts'
import { newId } from '../../../platform/ids.ts'
import { commandLine } from '../../journal/audit/command-line.ts'
import { recordSetting } from '../../journal/audit/record-setting.ts'
import type { Actor, Interface } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { requireCompany } from '../../kernel/tenant/require-company.ts'
import { type Access, type ApiKey, createSecret, hashOf, interfaces, prefixOf } from './key.ts'
import { insertKey } from './queries.ts'

export interface NewKey {
  company: string
  name: string
  access?: Access
  interfaces?: Interface[]
  expiresAt?: Date | null
}

/** Makes a key, by the command line where nobody is named. The secret is answered here and never again. */
export async function createKey(
  db: Database,
  now: Date,
  input: NewKey,
  by?: Actor,
): Promise<{ key: ApiKey; secret: string }> {
  const company = await requireCompany(db, input.company)
  const name = input.name.trim()
  if (!name) throw new DomainError('invalid', 'A key needs a name.')
  if (input.expiresAt && input.expiresAt <= now)
    throw new DomainError('invalid', 'The expiry must lie in the future.')
  const secret = createSecret()
  const key: ApiKey = {
    id: newId('key'),
    companyId: company.id,
    name,
    prefix: prefixOf(secret),
    access: input.access ?? 'full',
    interfaces: input.interfaces ?? [...interfaces],
    createdAt: now,
    lastUsedAt: null,
    expiresAt: input.expiresAt ?? null,
    revokedAt: null,
    replacedBy: null,
  }
  await db.transaction(async (tx) => {
    await insertKey(tx, { ...key, installerId: company.installerId, hash: hashOf(secret) })
    await recordSetting(tx, by ?? commandLine(company), now, {
      type: 'key.created',
      companyId: company.id,
      subjectId: key.id,
      name,
      changes: {
        prefix: [null, key.prefix],
        access: [null, key.access],
        interfaces: [null, key.interfaces],
        expiresAt: [null, key.expiresAt],
      },
    })
  })
  return { key, secret }
}
