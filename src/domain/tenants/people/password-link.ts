import { createHash } from 'node:crypto'
import type { Db } from '../../../platform/db.ts'
import { boolean, instant, row, text } from '../../../platform/sql/row.ts'
import { type Params, sql } from '../../../platform/sql/sql.ts'
import { maybeOne, run, scalars } from '../../../platform/sql/statements.ts'
import { eraseLinks } from '../../journal/mails/link-queries.ts'

/** As better-auth keeps the links that it makes: only a hash, under this name. */
const identifierOf = (token: string) =>
  createHash('sha256').update(`reset-password:${token}`).digest('base64url')

/** Whose password may be chosen, and whether the link went out by mail. */
export interface PasswordLink {
  userId: string
  name: string
  email: string
  expiresAt: Date
  mailed: boolean
}

const findLink = maybeOne(
  row<PasswordLink>({ userId: text, name: text, email: text, expiresAt: instant, mailed: boolean }),
  ($: Params<{ identifier: string; now: Date }>) => sql`
    select u.id as "userId", u.name, u.email, v."expiresAt", v."mailedAt" is not null as mailed
    from auth_verifications v join auth_users u on u.id = v.value
    where v.identifier = ${$.identifier} and v."expiresAt" > ${$.now}`,
)

/** Null where it was used, has run out or never was. */
export async function readPasswordLink(db: Db, now: Date, token: string): Promise<PasswordLink | null> {
  return findLink(db, { identifier: identifierOf(token), now })
}

const noteMailed = run(
  ($: Params<{ identifier: string; now: Date }>) =>
    sql`update auth_verifications set "mailedAt" = ${$.now} where identifier = ${$.identifier}`,
)

export async function notePasswordLinkMailed(db: Db, token: string, now: Date): Promise<void> {
  await noteMailed(db, { identifier: identifierOf(token), now })
}

const deleteLinks = run(
  ($: Params<{ userId: string }>) => sql`delete from auth_verifications where value = ${$.userId}`,
)

const listTenantsOf = scalars(
  { installerId: text },
  ($: Params<{ userId: string }>) =>
    sql`select distinct installer_id as "installerId" from members where user_id = ${$.userId}`,
  { across: 'an account is of all companies that its person works for' },
)

/** Links to choose a password that were written before are worth nothing now, and are erased. */
export async function endPasswordLinks(db: Db, userId: string): Promise<void> {
  await deleteLinks(db, { userId })
  for (const installerId of await listTenantsOf(db, { userId })) await eraseLinks(db, installerId, [userId])
}
