import type { Db, Statement } from '../../platform/db.ts'

// Whoever made the account before its address was proven may be somebody else: their passkeys end with it.
const proveStatement: Statement = {
  name: 'prove-address',
  text: `with proven as (
      update auth_users set "emailVerified" = true, "updatedAt" = $2 where id = $1 and not "emailVerified" returning id
    )
    delete from auth_passkeys p using proven where p."userId" = proven.id`,
}

/** The account's password was chosen by a link that went out by mail: its address is its person's. */
export async function proveAddress(db: Db, now: Date, userId: string): Promise<void> {
  await db.query(proveStatement, [userId, now])
}
