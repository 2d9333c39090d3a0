import type { Db, Statement } from '../../../platform/db.ts'

const forgetPeopleStatement: Statement = {
  name: 'forget-sealed-access',
  text: `with sessions as (delete from auth_sessions),
      seeds as (delete from auth_two_factors)
    update auth_users set "twoFactorEnabled" = false, "updatedAt" = $1 where "twoFactorEnabled"`,
}

/** Nobody is signed in any more, and nobody is asked for a code of an app whose seed cannot be read. */
export async function forgetSealedAccess(db: Db, now: Date): Promise<void> {
  await db.query(forgetPeopleStatement, [now])
}
