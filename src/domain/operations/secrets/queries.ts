import { type Params, sql } from '../../../platform/sql/sql.ts'
import { run } from '../../../platform/sql/statements.ts'

/** Nobody is signed in any more, and nobody is asked for a code of an app whose seed cannot be read. */
export const forgetSealedAccess = run(
  ($: Params<{ now: Date }>) => sql`
    with sessions as (delete from auth_sessions),
      seeds as (delete from auth_two_factors)
    update auth_users set "twoFactorEnabled" = false, "updatedAt" = ${$.now} where "twoFactorEnabled"`,
)
