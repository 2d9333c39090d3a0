import type { Db, Statement } from '../../../platform/db.ts'
import type { StorageUsage } from './usage.ts'

/** A limit that is none: more than any disk. */
export const noLimitBytes = 2 ** 53 - 1

/** The limit of a row of `storage_usage`, which the statement calls `s`. */
export const limitOfRow = 'coalesce(s.limit_bytes, (select limit_bytes from storage_default))'

const findStatement: Statement = {
  name: 'find-storage-usage',
  text: `select coalesce(s.bytes, 0) as bytes, ${limitOfRow} as "limitBytes", s.limit_bytes is not null as own
    from (select $1::text as installer_id, $2::text as company_id) asked
      left join storage_usage s on s.installer_id = asked.installer_id and s.company_id = asked.company_id`,
}

export async function findUsage(db: Db, installerId: string, companyId: string): Promise<StorageUsage> {
  const [row] = await db.query<{ bytes: number; limitBytes: number; own: boolean }>(findStatement, [
    installerId,
    companyId,
  ])
  const { bytes, limitBytes, own } = row!
  return { bytes, limitBytes: limitBytes >= noLimitBytes ? null : limitBytes, own }
}

const takeStatement: Statement = {
  name: 'take-storage',
  text: `insert into storage_usage as s (installer_id, company_id, bytes) values ($1, $2, greatest(0, $3::bigint))
    on conflict (installer_id, company_id) do update set bytes = greatest(0, s.bytes + $3::bigint)`,
}

/** Counts what is kept more, or less, in the transaction that keeps it. */
export async function addUsage(tx: Db, installerId: string, companyId: string, bytes: number): Promise<void> {
  if (bytes !== 0) await tx.query(takeStatement, [installerId, companyId, bytes])
}

const limitStatement: Statement = {
  name: 'set-storage-limit',
  text: `insert into storage_usage (installer_id, company_id, limit_bytes) values ($1, $2, $3)
    on conflict (installer_id, company_id) do update set limit_bytes = excluded.limit_bytes`,
}

/** Null: the default holds. */
export async function saveLimit(
  db: Db,
  installerId: string,
  companyId: string,
  limitBytes: number | null,
): Promise<void> {
  await db.query(limitStatement, [installerId, companyId, limitBytes])
}

const defaultStatement: Statement = {
  name: 'set-storage-default',
  text: 'update storage_default set limit_bytes = $1',
}

export async function saveDefaultLimit(db: Db, limitBytes: number): Promise<void> {
  await db.query(defaultStatement, [limitBytes])
}
