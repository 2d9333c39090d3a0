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
  /** Of the agent that it is made for. */
  agentName?: string | null
  /** Holds the agent to proposing. */
  proposes?: boolean
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
  const agentName = agentNamed(input)
  const secret = createSecret()
  const key: ApiKey = {
    id: newId('key'),
    companyId: company.id,
    name,
    prefix: prefixOf(secret),
    access: input.access ?? 'full',
    interfaces: input.interfaces ?? [...interfaces],
    agentName,
    proposes: input.proposes ?? false,
    createdAt: now,
    lastUsedAt: null,
    expiresAt: input.expiresAt ?? null,
    revokedAt: null,
    replacedBy: null,
  }
  const ofAgent: Record<string, [null, unknown]> =
    agentName === null ? {} : { agentName: [null, agentName], proposes: [null, key.proposes] }
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
        ...ofAgent,
        expiresAt: [null, key.expiresAt],
      },
    })
  })
  return { key, secret }
}

const maxAgentName = 60

function agentNamed({ agentName = null, proposes = false, access }: NewKey): string | null {
  const name = agentName === null ? null : agentName.trim().replace(/\s+/g, ' ')
  if (name === '') throw new DomainError('invalid', 'agentName must not be empty: activity shows it.')
  if (name !== null && (name.length > maxAgentName || /\p{C}/u.test(name)))
    throw new DomainError(
      'invalid',
      `agentName must have at most ${maxAgentName} characters, all of them visible.`,
    )
  if (proposes && name === null)
    throw new DomainError('invalid', 'agentName is required: only an agent’s key can be held to proposing.')
  if (proposes && access === 'read')
    throw new DomainError('invalid', 'proposes: a key that may only read proposes nothing. Leave one out.')
  return name
}
