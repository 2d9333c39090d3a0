import type { Db, Statement } from '../../../platform/db.ts'
import type { ApiKey } from './key.ts'

/** Whose keys: a tenant's, or those of one of its companies. */
export interface KeyReach {
  installerId: string
  companyId: string | null
}

const columns = `k.id, k.company_id as "companyId", k.name, k.prefix, k.access, k.interfaces,
  k.created_at as "createdAt", k.last_used_at as "lastUsedAt", k.expires_at as "expiresAt",
  k.revoked_at as "revokedAt", k.replaced_by as "replacedBy"`

const findStatement: Statement = {
  name: 'find-key-within',
  text: `select ${columns} from api_keys k
    where k.id = $3 and k.installer_id = $1 and ($2::text is null or k.company_id = $2)`,
}

export async function findKeyWithin(db: Db, reach: KeyReach, id: string): Promise<ApiKey | null> {
  const [key] = await db.query<ApiKey>(findStatement, [reach.installerId, reach.companyId, id])
  return key ?? null
}

export interface KeyPosition {
  at: Date
  id: string
}

const ofTenant: Statement = {
  name: 'keys-of-tenant',
  text: `select ${columns} from api_keys k where k.installer_id = $1 and (k.created_at, k.id) < ($2, $3)
    order by k.created_at desc, k.id desc limit $4`,
}

const ofCompany: Statement = {
  name: 'keys-of-company',
  text: `select ${columns} from api_keys k
    where k.installer_id = $1 and k.company_id = $5 and (k.created_at, k.id) < ($2, $3)
    order by k.created_at desc, k.id desc limit $4`,
}

// Before this everything was made.
const end: KeyPosition = { at: new Date('9999-01-01T00:00:00Z'), id: '' }

/** The newest first; those made before `before` where it is given. */
export function listKeysWithin(
  db: Db,
  { installerId, companyId }: KeyReach,
  before: KeyPosition | null,
  limit: number,
): Promise<ApiKey[]> {
  const { at, id } = before ?? end
  const values = [installerId, at, id, limit]
  return companyId === null
    ? db.query<ApiKey>(ofTenant, values)
    : db.query<ApiKey>(ofCompany, [...values, companyId])
}

export interface KeyHour {
  hour: Date
  calls: number
  failures: number
}

const hoursStatement: Statement = {
  name: 'hours-of-key',
  text: `select hour, calls, failures from api_key_hours
    where installer_id = $1 and key_id = $2 and hour >= $3 order by hour`,
}

/** Hours in which the key was used. */
export function listKeyHours(db: Db, installerId: string, keyId: string, from: Date): Promise<KeyHour[]> {
  return db.query<KeyHour>(hoursStatement, [installerId, keyId, from])
}
