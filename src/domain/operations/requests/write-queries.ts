import type { Db } from '../../../platform/db.ts'
import { row, select, text } from '../../../platform/sql/row.ts'
import { type Params, sql } from '../../../platform/sql/sql.ts'
import { many, run } from '../../../platform/sql/statements.ts'
import { type Bundle, beginsOf } from './notes.ts'
import type { Owner } from './request.ts'

interface Written {
  installers: string[]
  keys: string[]
  lastAts: Date[]
  ordinals: number[]
  firstAts: Date[]
  companies: string[]
  calls: number[]
  failures: number[]
  lines: Buffer
  begins: number[]
  bytes: number[]
}

const writeBatches = run(
  ($: Params<Written>) => sql`with batch as (
      select b.*, convert_from(substring(${$.lines}::bytea from b.begins + 1 for b.bytes), 'UTF8') as lines
      from unnest(${$.installers}::text[], ${$.keys}::text[], ${$.lastAts}::timestamptz[], ${$.ordinals}::int[],
        ${$.firstAts}::timestamptz[], ${$.companies}::text[], ${$.calls}::int[], ${$.failures}::int[],
        ${$.begins}::int[], ${$.bytes}::int[])
        as b(installer_id, key_id, last_at, ordinal, first_at, company_id, calls, failures, begins, bytes)
      -- of all that are sent, a node writes those of its tenants
      join tenant_clocks using (installer_id)
    ), written as (
      insert into request_batches (installer_id, key_id, last_at, ordinal, first_at, company_id, failures, lines)
      select installer_id, key_id, last_at, ordinal, first_at, company_id, failures, lines from batch
    )
    insert into api_key_hours as kept (installer_id, key_id, hour, calls, failures)
    select installer_id, key_id, date_trunc('hour', last_at), sum(calls), sum(failures) from batch
    group by 1, 2, 3 order by 1, 2, 3
    on conflict (installer_id, key_id, hour)
      do update set calls = kept.calls + excluded.calls, failures = kept.failures + excluded.failures`,
  { mayBeLost: true, across: 'the calls of all companies in a moment are written together' },
)

/** Writes all of it or nothing, and counts the calls in their hours. Its lines go as one piece, which nobody has to parse. */
export async function writeBundle(db: Db, { batches, lines }: Bundle): Promise<void> {
  await writeBatches(db, {
    installers: batches.map(({ installerId }) => installerId),
    keys: batches.map(({ keyId }) => keyId),
    lastAts: batches.map(({ lastAt }) => new Date(lastAt)),
    ordinals: batches.map(({ ordinal }) => ordinal),
    firstAts: batches.map(({ firstAt }) => new Date(firstAt)),
    companies: batches.map(({ companyId }) => companyId),
    calls: batches.map(({ calls }) => calls),
    failures: batches.map(({ failures }) => failures),
    lines,
    begins: beginsOf(batches),
    bytes: batches.map(({ bytes }) => bytes),
  })
}

/** Whether what was to be written is there already, by a try whose answer was lost. */
export function isWritten(error: unknown): boolean {
  return (error as { code?: string }).code === '23505'
}

const owner = row<Owner & { hash: string }>({ hash: text, installerId: text, companyId: text, keyId: text })

const ownersByHash = many(
  owner,
  ($: Params<{ hashes: readonly Buffer[] }>) => sql`
    select ${select(owner, '', { hash: sql`encode(hash, 'hex')`, keyId: sql`id` })}
    from api_keys where hash = any(${$.hashes}::bytea[])`,
  { across: 'a key says whose it is' },
)

/** Whose these keys are or were, by the hash in hexadecimal digits. */
export async function findOwners(db: Db, hashes: readonly Buffer[]): Promise<Map<string, Owner>> {
  const rows = await ownersByHash(db, { hashes })
  return new Map(rows.map(({ hash, ...owner }) => [hash, owner]))
}
