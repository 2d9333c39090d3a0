import type { Db } from '../../../platform/db.ts'
import { boolean, bytes, instant, integer, row, select, text, texts } from '../../../platform/sql/row.ts'
import { type Params, sql } from '../../../platform/sql/sql.ts'
import { many, one, run } from '../../../platform/sql/statements.ts'
import type { Interface } from '../../kernel/context.ts'
import type { Access, ApiKey } from './key.ts'

export const keyRow = row<ApiKey>({
  id: text,
  companyId: text,
  name: text,
  prefix: text,
  access: text,
  interfaces: texts,
  agentName: text,
  proposes: boolean,
  createdAt: instant,
  lastUsedAt: instant,
  expiresAt: instant,
  revokedAt: instant,
  replacedBy: text,
})

export const insertKey = run(
  ($: Params<ApiKey & { installerId: string; hash: Buffer }>) => sql`
    insert into api_keys
      (installer_id, id, company_id, name, prefix, hash, access, interfaces, agent_name, proposes,
        created_at, expires_at)
    values (${$.installerId}, ${$.id}, ${$.companyId}, ${$.name}, ${$.prefix}, ${$.hash}, ${$.access},
      ${$.interfaces}, ${$.agentName}, ${$.proposes}, ${$.createdAt}, ${$.expiresAt})`,
)

interface KeyId {
  installerId: string
  id: string
}

const keyId = row<KeyId>({ installerId: text, id: text })

/** By id or prefix; two where a prefix is not unique. */
export const findKeys = many(
  keyId,
  ($: Params<{ idOrPrefix: string }>) => sql`
    select ${select(keyId)} from api_keys
    where id = ${$.idOrPrefix} or prefix = ${$.idOrPrefix} order by created_at limit 2`,
  { across: 'whoever runs the server names a key by what is known of it' },
)

export const lockKey = one(
  keyRow,
  ($: Params<KeyId>) => sql`
    select ${select(keyRow)} from api_keys where installer_id = ${$.installerId} and id = ${$.id} for update`,
)

export const listKeys = many(
  keyRow,
  ($: Params<{ installerId: string; companyId: string }>) => sql`
    select ${select(keyRow)} from api_keys
    where installer_id = ${$.installerId} and company_id = ${$.companyId} order by created_at, id`,
)

/** Revokes at once, or lets the key expire at a time. */
export const endKey = run(
  ($: Params<KeyId & Pick<ApiKey, 'revokedAt' | 'expiresAt' | 'replacedBy'>>) => sql`
    update api_keys set revoked_at = coalesce(revoked_at, ${$.revokedAt}),
      expires_at = least(expires_at, ${$.expiresAt}), replaced_by = coalesce(${$.replacedBy}, replaced_by)
    where installer_id = ${$.installerId} and id = ${$.id}`,
)

export interface KeyOwner {
  keyId: string
  keyName: string
  prefix: string
  access: Access
  interfaces: Interface[]
  agentName: string | null
  proposes: boolean
  expiresAt: Date | null
  companyId: string
  companyName: string
  companyKind: 'installer' | 'dealer'
  companyNumber: number
  timezone: string
  installerId: string
}

const keyOwner = row<KeyOwner & { hash: Buffer }>({
  hash: bytes,
  keyId: text,
  keyName: text,
  prefix: text,
  access: text,
  interfaces: texts,
  agentName: text,
  proposes: boolean,
  expiresAt: instant,
  companyId: text,
  companyName: text,
  companyKind: text,
  companyNumber: integer,
  timezone: text,
  installerId: text,
})

const ownersByHash = many(
  keyOwner,
  ($: Params<{ hashes: readonly Buffer[] }>) => sql`
    select ${select(keyOwner, 'k', {
      keyId: sql`k.id`,
      keyName: sql`k.name`,
      companyName: sql`c.name`,
      companyKind: sql`c.kind`,
      companyNumber: sql`c.number`,
      timezone: sql`c.timezone`,
      installerId: sql`c.installer_id`,
    })}
    from api_keys k
    join companies c on c.id = k.company_id and c.status = 'active'
    join companies i on i.id = c.installer_id and i.status = 'active'
    where k.hash = any(${$.hashes}::bytea[]) and k.revoked_at is null`,
  { shared: 'read', across: 'who calls is known by the key alone' },
)

/** By their hashes in base64: the owners of keys that are not revoked and whose company and installer are active. */
export async function findKeyOwners(db: Db, hashes: readonly string[]): Promise<Map<string, KeyOwner>> {
  const owners = await ownersByHash(db, { hashes: hashes.map((hash) => Buffer.from(hash, 'base64')) })
  return new Map(owners.map(({ hash, ...owner }) => [hash.toString('base64'), owner]))
}

/** In one order: two processes that write the same keys wait for each other, and never both. */
export const touchKeys = run(
  ($: Params<{ ids: readonly string[]; times: readonly Date[] }>) => sql`
    with held as materialized (
      select id from api_keys where id = any(${$.ids}::text[]) order by id for no key update
    )
    update api_keys k set last_used_at = greatest(k.last_used_at, u.at)
    from held join unnest(${$.ids}::text[], ${$.times}::timestamptz[]) as u(id, at) using (id) where k.id = held.id`,
  { across: 'writes down the uses of many keys at once' },
)
