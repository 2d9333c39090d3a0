import type { Db } from '../../../platform/db.ts'
import { row, select, text } from '../../../platform/sql/row.ts'
import { type Params, sql } from '../../../platform/sql/sql.ts'
import { many, run } from '../../../platform/sql/statements.ts'

const isForgotten = ($: Params<{ before: Date }>) =>
  sql`store_key is not null and created_at < ${$.before} and state in ('mapping', 'checked', 'stopped')`

const tenants = row<{ installerId: string }>({ installerId: text })

const findForgotten = many(
  tenants,
  ($: Params<{ before: Date }>) =>
    sql`select distinct ${select(tenants)} from imports where ${isForgotten($)}`,
  { across: 'who has files that nobody came back to' },
)

const expireForgotten = run(
  ($: Params<{ installerId: string; before: Date; failure: string }>) => sql`with let_go as (
      update imports set store_key = null, failure = ${$.failure},
        state = case when state in ('mapping', 'checked') then 'failed' when state = 'stopped' then 'done' else state end
      where installer_id = ${$.installerId} and ${isForgotten($)}
      returning company_id, stored_bytes
    )
    update storage_usage s set bytes = greatest(0, s.bytes - g.bytes)
    from (select company_id, sum(stored_bytes) as bytes from let_go group by company_id) g
    where s.installer_id = ${$.installerId} and s.company_id = g.company_id`,
)

/** Lets go of files that nobody came back to. */
export async function expireImports(db: Db, before: Date, failure: string): Promise<void> {
  for (const { installerId } of await findForgotten(db, { before }))
    await expireForgotten(db, { installerId, before, failure })
}
