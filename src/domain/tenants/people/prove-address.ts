import type { Database } from '../../../platform/db.ts'
import { type Params, sql } from '../../../platform/sql/sql.ts'
import { exists } from '../../../platform/sql/statements.ts'
import { asksForCodes } from './queries.ts'
import { isRequired } from './second-factor.ts'
import { listOwnMembers, noteLostFactor } from './second-factor-queries.ts'

/** Whoever made the account before its address was proven may be somebody else: their passkeys end with it. */
const prove = exists(
  ($: Params<{ userId: string; now: Date }>) => sql`with proven as (
      update auth_users set "emailVerified" = true, "updatedAt" = ${$.now}
      where id = ${$.userId} and not "emailVerified" returning id
    )
    delete from auth_passkeys p using proven where p."userId" = proven.id returning p.id`,
)

/**
 * The account's password was chosen by a link that went out by mail: its address is its person's. Answers whether
 * passkeys ended. A mailbox alone is not the second factor that a company requires: where they were one, the company
 * has to agree before another one counts.
 */
export function proveAddress(db: Database, now: Date, userId: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const ended = await prove(tx, { userId, now })
    if (ended && !(await asksForCodes(tx, userId))) {
      const members = (await listOwnMembers(tx, { userId })).filter(isRequired)
      for (const member of members) await noteLostFactor(tx, { ...member, now })
    }
    return ended
  })
}
