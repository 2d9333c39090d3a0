import type { Db } from '../../../platform/db.ts'
import { instant, integer, row, select, text } from '../../../platform/sql/row.ts'
import { type Params, sql } from '../../../platform/sql/sql.ts'
import { many, run } from '../../../platform/sql/statements.ts'

export interface BatchPlace {
  keyId: string
  lastAt: Date
  ordinal: number
}

export interface CallBatch extends BatchPlace {
  /** Null where none of the words stands in it. */
  lines: string | null
  /** Whose key it was. */
  companyId: string | null
}

type Batch = BatchPlace & { installerId: string }

const callBatch = row<CallBatch>({
  keyId: text,
  lastAt: instant,
  ordinal: integer,
  lines: text,
  companyId: text,
})

/** Batches of the request log in the order of their keys, with their lines where they hold one of the words. */
export const listCallBatches = many(
  callBatch,
  ($: Params<Batch & { words: readonly string[]; limit: number }>) => sql`
    select ${select(callBatch, 'b', {
      companyId: sql`(select k.company_id from api_keys k where k.installer_id = ${$.installerId} and k.id = b.key_id)`,
      lines: sql`case when exists (
        select from unnest(${$.words}::text[]) w where strpos(lower(b.lines), w) > 0) then b.lines end`,
    })}
    from request_batches b
    where b.installer_id = ${$.installerId}
      and (b.key_id, b.last_at, b.ordinal) > (${$.keyId}, ${$.lastAt}::timestamptz, ${$.ordinal}::int)
    order by b.key_id, b.last_at, b.ordinal limit ${$.limit}`,
)

const isIt = ($: Params<Batch>) =>
  sql`installer_id = ${$.installerId} and key_id = ${$.keyId} and last_at = ${$.lastAt} and ordinal = ${$.ordinal}`

const updateLines = run(
  ($: Params<Batch & { lines: string }>) =>
    sql`update request_batches set lines = ${$.lines} where ${isIt($)}`,
)
const deleteBatch = run(($: Params<Batch>) => sql`delete from request_batches where ${isIt($)}`)

/** A batch without lines is none. */
export function saveCallLines(db: Db, batch: Batch & { lines: string }): Promise<void> {
  return batch.lines === '' ? deleteBatch(db, batch) : updateLines(db, batch)
}
