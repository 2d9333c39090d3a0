import type { Db, Statement } from '../../../platform/db.ts'
import type { Membership } from '../../kernel/tenant/member.ts'

// The one used last comes first, then those joined earlier: nobody is moved to another company by being let in there.
const membershipsStatement: Statement = {
  shared: 'read',
  name: 'memberships',
  text: `select m.id as "memberId", m.name, m.role, m.installer_id as "installerId", c.id as "companyId",
      c.name as "companyName", c.kind as "companyKind", c.second_factor_required as "secondFactorRequired",
      m.factor_lost_at is not null as "factorLost"
    from members m join companies c on c.id = m.company_id join companies i on i.id = m.installer_id
      join auth_users u on u.id = m.user_id
    where m.user_id = $1 and m.deactivated_at is null and c.status = 'active' and i.status = 'active'
    order by m.id = u."lastMemberId" desc nulls last, m.joined_at, m.id`,
}

/**
 * The companies that an account works for, the one used last first; not those that are suspended, nor dealers of such.
 */
export function listMemberships(db: Db, userId: string): Promise<Membership[]> {
  return db.query<Membership>(membershipsStatement, [userId])
}

const joinStatement: Statement = {
  name: 'join-company',
  text: `update members set user_id = $3, joined_at = $4, factor_lost_at = null
    where installer_id = $1 and id = $2 and user_id is null and deactivated_at is null returning id`,
}

/** Makes a member the account's; whether it was nobody's and is active. */
export async function joinCompany(
  db: Db,
  { installerId, id }: { installerId: string; id: string },
  userId: string,
  now: Date,
): Promise<boolean> {
  return (await db.query(joinStatement, [installerId, id, userId, now])).length > 0
}

const partStatement: Statement = {
  name: 'part-from-company',
  text: `update members set user_id = null, joined_at = null, factor_lost_at = null
    where installer_id = $1 and id = $2`,
}

/** The member is nobody's account any more: whoever comes back accepts another invitation. */
export async function partFromCompany(db: Db, installerId: string, memberId: string): Promise<void> {
  await db.query(partStatement, [installerId, memberId])
}

const accountOfStatement: Statement = {
  name: 'account-of-member',
  text: 'select user_id as "userId" from members where installer_id = $1 and id = $2',
}

/** Whose account a member is; null while they have not joined. */
export async function accountOf(db: Db, installerId: string, memberId: string): Promise<string | null> {
  const [row] = await db.query<{ userId: string | null }>(accountOfStatement, [installerId, memberId])
  return row?.userId ?? null
}

/** A member of an address, and whose account they are. */
export interface ActiveMember {
  installerId: string
  id: string
  companyId: string
  companyName: string
  name: string
  userId: string | null
}

const activeMembersStatement: Statement = {
  name: 'active-members-by-address',
  text: `select m.installer_id as "installerId", m.id, c.id as "companyId", c.name as "companyName", m.name,
      m.user_id as "userId"
    from members m join companies c on c.id = m.company_id join companies i on i.id = m.installer_id
    where m.email = $1 and m.deactivated_at is null and c.status = 'active' and i.status = 'active'
    order by c.number limit 100`,
}

/** Who has an address among the active members of all companies: for whoever runs the server. */
export function listActiveMembers(db: Db, email: string): Promise<ActiveMember[]> {
  return db.query<ActiveMember>(activeMembersStatement, [email])
}

/** An account, and whether anybody could sign in to it. */
export interface Account {
  id: string
  email: string
  /** Whoever chose its password had read the mail to this address. */
  proven: boolean
  used: boolean
}

const findAccountStatement: Statement = {
  name: 'find-account',
  text: `select u.id, u.email, u."emailVerified" as proven,
      exists (select from auth_accounts a where a."userId" = u.id and a.password is not null)
        or exists (select from auth_passkeys p where p."userId" = u.id)
        or exists (select from members m where m.user_id = u.id and m.installer_id is not null) as used
    from auth_users u where u.email = $1`,
}

/** The account of an address, given in its one form. */
export async function findAccount(db: Db, email: string): Promise<Account | null> {
  const [row] = await db.query<Account>(findAccountStatement, [email])
  return row ?? null
}

/** What the account of an address works for; nothing where there is none. */
export async function membershipsOf(db: Db, email: string): Promise<Membership[]> {
  const account = await findAccount(db, email)
  return account ? listMemberships(db, account.id) : []
}

const lockAccountStatement: Statement = {
  name: 'lock-account',
  text: 'select id from auth_users where id = $1 for no key update',
}

/** Until the transaction ends nobody else decides about this account. */
export async function lockAccount(tx: Db, userId: string): Promise<void> {
  await tx.query(lockAccountStatement, [userId])
}

const insertUserStatement: Statement = {
  name: 'insert-user',
  text: `insert into auth_users (id, name, email, "emailVerified", "createdAt", "updatedAt")
    values ($1, $2, $3, false, $4, $4) on conflict (email) do nothing`,
}

/** Nobody has proven its address yet. */
export async function insertUser(
  db: Db,
  user: { id: string; name: string; email: string },
  now: Date,
): Promise<void> {
  await db.query(insertUserStatement, [user.id, user.name, user.email, now])
}

const savePasswordStatement: Statement = {
  name: 'save-password',
  text: `insert into auth_accounts (id, "accountId", "providerId", "userId", password, "createdAt", "updatedAt")
    values ($1, $2, 'credential', $2, $3, $4, $4)
    on conflict ("userId", "providerId", "accountId") do update set password = excluded.password, "updatedAt" = excluded."updatedAt"`,
}

export async function savePassword(
  db: Db,
  id: string,
  userId: string,
  hash: string,
  now: Date,
): Promise<void> {
  await db.query(savePasswordStatement, [id, userId, hash, now])
}

const pinStatement: Statement = {
  name: 'pin-session',
  text: 'update auth_sessions set "memberId" = $2 where id = $1',
}

/** The session is the person's as this member, whatever they choose elsewhere. */
export async function pinSession(db: Db, sessionId: string, memberId: string): Promise<void> {
  await db.query(pinStatement, [sessionId, memberId])
}

const usedLastStatement: Statement = {
  name: 'company-used-last',
  text: 'update auth_users set "lastMemberId" = $2 where id = $1',
}

/** Where the person's next session begins. */
export async function noteUsedLast(db: Db, userId: string, memberId: string): Promise<void> {
  await db.query(usedLastStatement, [userId, memberId])
}

/** One browser in which a person is signed in. */
export interface OpenSession {
  id: string
  userAgent: string | null
  ipAddress: string | null
  createdAt: Date
  lastUsedAt: Date
  current: boolean
}

const listSessionsStatement: Statement = {
  name: 'list-sessions',
  text: `select id, "userAgent", "ipAddress", "createdAt", "updatedAt" as "lastUsedAt", id = $2 as current
    from auth_sessions where "userId" = $1 and "expiresAt" > $3 order by "updatedAt" desc limit 100`,
}

export function listSessions(db: Db, userId: string, currentId: string, now: Date): Promise<OpenSession[]> {
  return db.query<OpenSession>(listSessionsStatement, [userId, currentId, now])
}

const deleteSessionStatement: Statement = {
  name: 'delete-session',
  text: 'delete from auth_sessions where "userId" = $1 and id = $2 returning id',
}

/** Whether the person had this session. */
export async function deleteSession(db: Db, userId: string, id: string): Promise<boolean> {
  return (await db.query(deleteSessionStatement, [userId, id])).length > 0
}

const deleteSessionsStatement: Statement = {
  name: 'delete-sessions',
  text: 'delete from auth_sessions where "userId" = $1 and id is distinct from $2',
}

/** Ends all sessions of a person but the one named, where one is. */
export async function deleteSessions(db: Db, userId: string, keptId: string | null): Promise<void> {
  await db.query(deleteSessionsStatement, [userId, keptId])
}

const codesStatement: Statement = {
  shared: 'read',
  name: 'asks-for-codes',
  text: 'select "twoFactorEnabled" as asked from auth_users where id = $1',
}

/** Whether the person is asked for a code after the password. */
export async function asksForCodes(db: Db, userId: string): Promise<boolean> {
  const [row] = await db.query<{ asked: boolean | null }>(codesStatement, [userId])
  return row?.asked ?? false
}

const dropCodesStatement: Statement = {
  name: 'drop-codes',
  text: `with gone as (delete from auth_two_factors where "userId" = $1)
    update auth_users set "twoFactorEnabled" = false, "updatedAt" = $2 where id = $1`,
}

/** No code is asked for any more: for who has lost both the device and the backup codes. */
export async function dropCodes(db: Db, userId: string, now: Date): Promise<void> {
  await db.query(dropCodesStatement, [userId, now])
}
