import type { Db } from '../../../platform/db.ts'
import { boolean, integer, row } from '../../../platform/sql/row.ts'
import { type Params, sql } from '../../../platform/sql/sql.ts'
import { one, run } from '../../../platform/sql/statements.ts'
import type { StorageUsage } from './usage.ts'

/** A limit that is none: more than any disk. */
export const noLimitBytes = 2 ** 53 - 1

/** The limit of a row of `storage_usage`, which the statement calls `s`. */
export const limitOfRow = sql`coalesce(s.limit_bytes, (select limit_bytes from storage_default))`

interface OfCompany {
  installerId: string
  companyId: string
}

const usageOf = one(
  row<{ bytes: number; limitBytes: number; own: boolean }>({
    bytes: integer,
    limitBytes: integer,
    own: boolean,
  }),
  ($: Params<OfCompany>) => sql`
    select coalesce(s.bytes, 0) as bytes, ${limitOfRow} as "limitBytes", s.limit_bytes is not null as own
    from (select ${$.installerId}::text as installer_id, ${$.companyId}::text as company_id) asked
      left join storage_usage s on s.installer_id = asked.installer_id and s.company_id = asked.company_id`,
)

export async function findUsage(db: Db, company: OfCompany): Promise<StorageUsage> {
  const { bytes, limitBytes, own } = await usageOf(db, company)
  return { bytes, limitBytes: limitBytes >= noLimitBytes ? null : limitBytes, own }
}

const takeBytes = run(
  ($: Params<OfCompany & { bytes: number }>) => sql`
    insert into storage_usage as s (installer_id, company_id, bytes)
    values (${$.installerId}, ${$.companyId}, greatest(0, ${$.bytes}::bigint))
    on conflict (installer_id, company_id) do update set bytes = greatest(0, s.bytes + ${$.bytes}::bigint)`,
)

/** Counts what is kept more, or less, in the transaction that keeps it. */
export async function addUsage(tx: Db, installerId: string, companyId: string, bytes: number): Promise<void> {
  if (bytes !== 0) await takeBytes(tx, { installerId, companyId, bytes })
}

/** Null: the default holds. */
export const saveLimit = run(
  ($: Params<OfCompany & { limitBytes: number | null }>) => sql`
    insert into storage_usage (installer_id, company_id, limit_bytes)
    values (${$.installerId}, ${$.companyId}, ${$.limitBytes})
    on conflict (installer_id, company_id) do update set limit_bytes = excluded.limit_bytes`,
)

export const saveDefaultLimit = run(
  ($: Params<{ limitBytes: number }>) => sql`update storage_default set limit_bytes = ${$.limitBytes}`,
)
