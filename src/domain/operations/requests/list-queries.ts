import type { Db, Statement } from '../../../platform/db.ts'
import type { KeyReach } from '../../tenants/keys/list-queries.ts'

export interface KeptBatch {
  keyId: string
  companyId: string
  lastAt: Date
  ordinal: number
  lines: string
}

/** Which batches: of these keys, between these times, before a place. */
export interface Span {
  installerId: string
  keyIds: readonly string[]
  from: Date
  to: Date
  before: Pick<KeptBatch, 'lastAt' | 'ordinal'>
  limit: number
  /** Only those in which something failed: they have an index of their own. */
  failed: boolean
  /** Only those that hold this text. */
  holding: string | null
}

// Each key's batches stand together in time, so the newest of all are among the newest of each.
function listStatement(failed: boolean, holding: boolean): Statement {
  return {
    name: `list-request-batches${failed ? '-failed' : ''}${holding ? '-holding' : ''}`,
    text: `select b.key_id as "keyId", b.company_id as "companyId", b.last_at as "lastAt", b.ordinal, b.lines
      from unnest($2::text[]) as key(id) cross join lateral (
        select * from request_batches r
        where r.installer_id = $1 and r.key_id = key.id and r.last_at >= $3 and r.first_at <= $4
          and r.last_at <= $5 and (r.last_at, r.ordinal) < ($5, $6)
          ${failed ? 'and r.failures > 0' : ''} ${holding ? 'and position($8 in r.lines) > 0' : ''}
        order by r.last_at desc, r.ordinal desc limit $7
      ) b order by b.last_at desc, b.ordinal desc limit $7`,
  }
}

/** The newest first. */
export function listBatches(db: Db, span: Span): Promise<KeptBatch[]> {
  const { installerId, keyIds, from, to, before, limit, failed, holding } = span
  const values = [installerId, keyIds, from, to, before.lastAt, before.ordinal, limit]
  return db.query<KeptBatch>(
    listStatement(failed, holding !== null),
    holding === null ? values : [...values, holding],
  )
}

export interface KeyName {
  id: string
  name: string
  prefix: string
}

const keyNames: Statement = {
  name: 'names-of-keys',
  text: `select id, name, prefix from api_keys where installer_id = $1 and ($2::text is null or company_id = $2)`,
}

/** All keys whose calls may be seen. */
export function listKeyNames(db: Db, { installerId, companyId }: KeyReach): Promise<KeyName[]> {
  return db.query<KeyName>(keyNames, [installerId, companyId])
}
