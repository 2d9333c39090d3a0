import type { Db, Statement } from '../../../platform/db.ts'
import type { Interface } from '../../kernel/context.ts'
import type { Access, ApiKey } from './key.ts'

const keyColumns = `id, company_id as "companyId", name, prefix, access, interfaces, created_at as "createdAt",
  last_used_at as "lastUsedAt", expires_at as "expiresAt", revoked_at as "revokedAt", replaced_by as "replacedBy"`

const insertKeyStatement: Statement = {
  name: 'insert-key',
  text: `insert into api_keys (installer_id, id, company_id, name, prefix, hash, access, interfaces, created_at, expires_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
}

export async function insertKey(db: Db, installerId: string, key: ApiKey, hash: Buffer): Promise<void> {
  await db.query(insertKeyStatement, [
    installerId,
    key.id,
    key.companyId,
    key.name,
    key.prefix,
    hash,
    key.access,
    key.interfaces,
    key.createdAt,
    key.expiresAt,
  ])
}

const findKeyStatement: Statement = {
  name: 'find-key',
  text: `select ${keyColumns} from api_keys where id = $1 or prefix = $1 order by created_at limit 2`,
}

/** By id or prefix; two rows where a prefix is not unique. */
export function findKeys(db: Db, idOrPrefix: string): Promise<ApiKey[]> {
  return db.query<ApiKey>(findKeyStatement, [idOrPrefix])
}

const lockKeyStatement: Statement = {
  name: 'lock-key',
  text: `select ${keyColumns} from api_keys where id = $1 for update`,
}

export async function lockKey(tx: Db, id: string): Promise<ApiKey> {
  const [key] = await tx.query<ApiKey>(lockKeyStatement, [id])
  return key!
}

const listKeysStatement: Statement = {
  name: 'list-keys',
  text: `select ${keyColumns} from api_keys where company_id = $1 order by created_at, id`,
}

export function listKeys(db: Db, companyId: string): Promise<ApiKey[]> {
  return db.query<ApiKey>(listKeysStatement, [companyId])
}

const endKeyStatement: Statement = {
  name: 'end-key',
  text: `update api_keys set revoked_at = coalesce(revoked_at, $2), expires_at = least(expires_at, $3),
    replaced_by = coalesce($4, replaced_by) where id = $1`,
}

/** Revokes at once, or lets the key expire at a time. */
export async function endKey(
  db: Db,
  id: string,
  { revokedAt, expiresAt, replacedBy }: Pick<ApiKey, 'revokedAt' | 'expiresAt' | 'replacedBy'>,
): Promise<void> {
  await db.query(endKeyStatement, [id, revokedAt, expiresAt, replacedBy])
}

export interface KeyOwner {
  keyId: string
  keyName: string
  prefix: string
  access: Access
  interfaces: Interface[]
  expiresAt: Date | null
  companyId: string
  companyName: string
  companyKind: 'installer' | 'dealer'
  installerId: string
}

const findKeyOwnersStatement: Statement = {
  shared: 'read',
  name: 'find-key-owners',
  text: `select k.hash, k.id as "keyId", k.name as "keyName", k.prefix, k.access, k.interfaces, k.expires_at as "expiresAt",
      c.id as "companyId", c.name as "companyName", c.kind as "companyKind", c.installer_id as "installerId"
    from api_keys k
    join companies c on c.id = k.company_id and c.status = 'active'
    join companies i on i.id = c.installer_id and i.status = 'active'
    where k.hash = any($1::bytea[]) and k.revoked_at is null`,
}

/** By their hashes in base64: the owners of keys that are not revoked and whose company and installer are active. */
export async function findKeyOwners(db: Db, hashes: readonly string[]): Promise<Map<string, KeyOwner>> {
  type Row = KeyOwner & { hash: Buffer }
  const rows = await db.query<Row>(findKeyOwnersStatement, [
    hashes.map((hash) => Buffer.from(hash, 'base64')),
  ])
  return new Map(rows.map(({ hash, ...owner }) => [hash.toString('base64'), owner]))
}

const touchKeysStatement: Statement = {
  name: 'touch-keys',
  text: `update api_keys k set last_used_at = greatest(k.last_used_at, u.at)
    from unnest($1::text[], $2::timestamptz[]) as u(id, at) where k.id = u.id`,
}

export async function touchKeys(db: Db, uses: ReadonlyMap<string, Date>): Promise<void> {
  await db.query(touchKeysStatement, [[...uses.keys()], [...uses.values()]])
}
