import { instant, integer, row, select, text } from '../../../platform/sql/row.ts'
import { type Fragment, type Params, sql, when } from '../../../platform/sql/sql.ts'
import { many } from '../../../platform/sql/statements.ts'
import type { KeyScope } from '../../tenants/keys/list-queries.ts'

export interface StoredBatch {
  keyId: string
  companyId: string
  lastAt: Date
  ordinal: number
  lines: string
}

const batch = row<StoredBatch>({
  keyId: text,
  companyId: text,
  lastAt: instant,
  ordinal: integer,
  lines: text,
})

/** Which batches: of these keys, between these times, before a place. */
interface Span {
  installerId: string
  keyIds: readonly string[]
  from: Date
  to: Date
  lastAt: Date
  ordinal: number
  limit: number
  /** Only those in which something failed: they have an index of their own. */
  failed: boolean
  /** Only those that hold this text. */
  holding: string | null
}

/** The newest first. Each key's batches stand together in time, so the newest of all are among the newest of each. */
export const listBatches = many(
  batch,
  ($: Params<Span>) => sql`
    select ${select(batch, 'b')} from unnest(${$.keyIds}::text[]) as key(id) cross join lateral (
      select * from request_batches r
      where r.installer_id = ${$.installerId} and r.key_id = key.id and r.last_at >= ${$.from}
        and r.first_at <= ${$.to} and r.last_at <= ${$.lastAt} and (r.last_at, r.ordinal) < (${$.lastAt}, ${$.ordinal})
        ${when($.failed, sql`and r.failures > 0`)} ${when($.holding, sql`and position(${$.holding} in r.lines) > 0`)}
      order by r.last_at desc, r.ordinal desc limit ${$.limit}
    ) b order by b.last_at desc, b.ordinal desc limit ${$.limit}`,
)

export interface KeyName {
  id: string
  name: string
  prefix: string
}

const keyName = row<KeyName>({ id: text, name: text, prefix: text })

/** All keys whose calls may be seen, but for those that were revoked before a time, which have made none since. */
export const listKeyNames = many(keyName, ($: Params<KeyScope & { revokedAfter: Date }>) => {
  const those = (condition: Fragment) => sql`select ${select(keyName)} from api_keys
    where installer_id = ${$.installerId} and (${$.companyId}::text is null or company_id = ${$.companyId})
      and ${condition}`
  return sql`${those(sql`revoked_at is null`)} union all ${those(sql`revoked_at between ${$.revokedAfter} and 'infinity'`)}`
})
