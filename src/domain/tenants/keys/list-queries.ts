import { instant, integer, row, select } from '../../../platform/sql/row.ts'
import { type Params, sql, when } from '../../../platform/sql/sql.ts'
import { many, maybeOne } from '../../../platform/sql/statements.ts'
import { keyRow } from './queries.ts'

/** Whose keys: a tenant's, or those of one of its companies. */
export interface KeyScope {
  installerId: string
  companyId: string | null
}

const within = ($: Params<KeyScope>) =>
  sql`installer_id = ${$.installerId} ${when($.companyId, sql`and company_id = ${$.companyId}`)}`

export const findKeyWithin = maybeOne(
  keyRow,
  ($: Params<KeyScope & { id: string }>) =>
    sql`select ${select(keyRow)} from api_keys where ${within($)} and id = ${$.id}`,
)

export interface KeyPosition {
  at: Date
  id: string
}

/** The newest first; those made before `before` where it is given. */
export const listKeysWithin = many(
  keyRow,
  ($: Params<KeyScope & { beforeAt: Date | undefined; beforeId: string | undefined; limit: number }>) => sql`
    select ${select(keyRow)} from api_keys
    where ${within($)} ${when($.beforeId, sql`and (created_at, id) < (${$.beforeAt}, ${$.beforeId})`)}
    order by created_at desc, id desc limit ${$.limit}`,
)

export interface KeyHour {
  hour: Date
  calls: number
  failures: number
}

const keyHour = row<KeyHour>({ hour: instant, calls: integer, failures: integer })

/** Hours in which the key was used. */
export const listKeyHours = many(
  keyHour,
  ($: Params<{ installerId: string; keyId: string; from: Date }>) => sql`
    select ${select(keyHour)} from api_key_hours
    where installer_id = ${$.installerId} and key_id = ${$.keyId} and hour >= ${$.from} order by hour`,
)
