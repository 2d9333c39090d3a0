import type { Db, Statement } from '../../../platform/db.ts'

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

const pageStatement: Statement = {
  name: 'request-batches-with-words',
  text: `select key_id as "keyId", last_at as "lastAt", ordinal,
      (select k.company_id from api_keys k where k.id = key_id) as "companyId",
      case when exists (select from unnest($5::text[]) w where strpos(lower(lines), w) > 0) then lines end as lines
    from request_batches
    where installer_id = $1 and (key_id, last_at, ordinal) > ($2, $3::timestamptz, $4::int)
    order by key_id, last_at, ordinal limit $6`,
}

/** Batches of the request log in the order of their keys, with their lines where they hold one of the words. */
export function listCallBatches(
  db: Db,
  installerId: string,
  after: BatchPlace,
  words: readonly string[],
  limit: number,
): Promise<CallBatch[]> {
  const { keyId, lastAt, ordinal } = after
  return db.query<CallBatch>(pageStatement, [installerId, keyId, lastAt, ordinal, words, limit])
}

const saveStatement: Statement = {
  name: 'save-request-lines',
  text: `update request_batches set lines = $5
    where installer_id = $1 and key_id = $2 and last_at = $3 and ordinal = $4`,
}
const deleteStatement: Statement = {
  name: 'drop-request-batch',
  text: 'delete from request_batches where installer_id = $1 and key_id = $2 and last_at = $3 and ordinal = $4',
}

/** A batch without lines is none. */
export async function saveCallLines(
  db: Db,
  installerId: string,
  { keyId, lastAt, ordinal }: BatchPlace,
  lines: string,
): Promise<void> {
  const place = [installerId, keyId, lastAt.toISOString(), ordinal]
  await (lines === '' ? db.query(deleteStatement, place) : db.query(saveStatement, [...place, lines]))
}
