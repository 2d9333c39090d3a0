import type { Db, Statement } from '../../../platform/db.ts'
import { type Bundle, beginsOf } from './notes.ts'
import type { Owner } from './request.ts'

const writeStatement: Statement = {
  mayBeLost: true,
  name: 'write-request-batches',
  text: `with batch as (
      select b.*, convert_from(substring($9::bytea from b.begins + 1 for b.bytes), 'UTF8') as lines
      from unnest($1::text[], $2::text[], $3::timestamptz[], $4::int[], $5::timestamptz[], $6::text[], $7::int[],
        $8::int[], $10::int[], $11::int[])
        as b(installer_id, key_id, last_at, ordinal, first_at, company_id, calls, failures, begins, bytes)
    ), written as (
      insert into request_batches (installer_id, key_id, last_at, ordinal, first_at, company_id, failures, lines)
      select installer_id, key_id, last_at, ordinal, first_at, company_id, failures, lines from batch
    )
    insert into api_key_hours as kept (installer_id, key_id, hour, calls, failures)
    select installer_id, key_id, date_trunc('hour', last_at), sum(calls), sum(failures) from batch
    group by 1, 2, 3 order by 1, 2, 3
    on conflict (installer_id, key_id, hour)
      do update set calls = kept.calls + excluded.calls, failures = kept.failures + excluded.failures`,
}

/** Writes all of it or nothing, and counts the calls in their hours. Its lines go as one piece, which nobody has to parse. */
export async function writeBundle(db: Db, { batches, lines }: Bundle): Promise<void> {
  await db.query(writeStatement, [
    batches.map(({ installerId }) => installerId),
    batches.map(({ keyId }) => keyId),
    batches.map(({ lastAt }) => new Date(lastAt)),
    batches.map(({ ordinal }) => ordinal),
    batches.map(({ firstAt }) => new Date(firstAt)),
    batches.map(({ companyId }) => companyId),
    batches.map(({ calls }) => calls),
    batches.map(({ failures }) => failures),
    lines,
    beginsOf(batches),
    batches.map(({ bytes }) => bytes),
  ])
}

/** Whether what was to be written is there already, by a try whose answer was lost. */
export function isWritten(error: unknown): boolean {
  return (error as { code?: string }).code === '23505'
}

const findOwnersStatement: Statement = {
  name: 'owners-of-refused-keys',
  text: `select encode(hash, 'hex') as hash, installer_id as "installerId", company_id as "companyId", id as "keyId"
    from api_keys where hash = any($1::bytea[])`,
}

/** Whose these keys are or were, by the hash in hexadecimal digits. */
export async function findOwners(db: Db, hashes: readonly Buffer[]): Promise<Map<string, Owner>> {
  const rows = await db.query<Owner & { hash: string }>(findOwnersStatement, [hashes])
  return new Map(rows.map(({ hash, ...owner }) => [hash, owner]))
}
