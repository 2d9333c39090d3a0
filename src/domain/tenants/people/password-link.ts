import { createHash } from 'node:crypto'
import type { Db, Statement } from '../../../platform/db.ts'
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

const findStatement: Statement = {
  name: 'find-password-link',
  text: `select u.id as "userId", u.name, u.email, v."expiresAt", v."mailedAt" is not null as mailed
    from auth_verifications v join auth_users u on u.id = v.value
    where v.identifier = $1 and v."expiresAt" > $2`,
}

/** Null where it was used, has run out or never was. */
export async function readPasswordLink(db: Db, now: Date, token: string): Promise<PasswordLink | null> {
  const [row] = await db.query<PasswordLink>(findStatement, [identifierOf(token), now])
  return row ?? null
}

const mailedStatement: Statement = {
  name: 'password-link-mailed',
  text: 'update auth_verifications set "mailedAt" = $2 where identifier = $1',
}

export async function notePasswordLinkMailed(db: Db, token: string, now: Date): Promise<void> {
  await db.query(mailedStatement, [identifierOf(token), now])
}

const endStatement: Statement = {
  name: 'end-password-links',
  text: 'delete from auth_verifications where value = $1',
}

/** Links to choose a password that were written before are worth nothing now, and are erased. */
export async function endPasswordLinks(db: Db, userId: string): Promise<void> {
  await db.query(endStatement, [userId])
  await eraseLinks(db, [userId])
}
