import type { Db, Statement } from '../../platform/db.ts'
import type { Role } from '../members/member.ts'

/** One company that a person works for. */
export interface Membership {
  memberId: string
  name: string
  role: Role
  installerId: string
  companyId: string
  companyName: string
  companyKind: 'installer' | 'dealer'
  /** Whether the company requires a second factor of its owners and admins. */
  secondFactorRequired: boolean
}

const membershipsStatement: Statement = {
  shared: 'read',
  name: 'memberships',
  text: `select m.id as "memberId", m.name, m.role, m.installer_id as "installerId", c.id as "companyId",
      c.name as "companyName", c.kind as "companyKind", c.second_factor_required as "secondFactorRequired"
    from members m join companies c on c.id = m.company_id join companies i on i.id = m.installer_id
    where lower(m.email) = lower($1) and m.deactivated_at is null and c.status = 'active' and i.status = 'active'
    order by c.number`,
}

/** The companies that the person of this email works for; not those that are suspended, nor dealers of such. */
export function listMemberships(db: Db, email: string): Promise<Membership[]> {
  return db.query<Membership>(membershipsStatement, [email])
}

const findUserStatement: Statement = {
  name: 'find-user',
  text: 'select id from auth_users where email = lower($1)',
}

export async function findUserId(db: Db, email: string): Promise<string | null> {
  const [row] = await db.query<{ id: string }>(findUserStatement, [email])
  return row?.id ?? null
}

const insertUserStatement: Statement = {
  name: 'insert-user',
  text: `insert into auth_users (id, name, email, "emailVerified", "createdAt", "updatedAt")
    values ($1, $2, lower($3), true, $4, $4) on conflict (email) do nothing`,
}

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

const hasPasswordStatement: Statement = {
  name: 'people-with-password',
  text: `select u.email from auth_users u join auth_accounts a on a."userId" = u.id and a.password is not null
    where u.email = any($1)`,
}

/** Of these emails, in lower case, those whose person has chosen a password. */
export async function withPassword(db: Db, emails: readonly string[]): Promise<Set<string>> {
  const rows = await db.query<{ email: string }>(hasPasswordStatement, [emails.map((e) => e.toLowerCase())])
  return new Set(rows.map(({ email }) => email))
}

const insertVerificationStatement: Statement = {
  name: 'insert-verification',
  text: `insert into auth_verifications (id, identifier, value, "expiresAt", "createdAt", "updatedAt")
    values ($1, $2, $3, $4, $5, $5)`,
}

export async function insertVerification(
  db: Db,
  id: string,
  verification: { identifier: string; value: string; expiresAt: Date },
  now: Date,
): Promise<void> {
  const { identifier, value, expiresAt } = verification
  await db.query(insertVerificationStatement, [id, identifier, value, expiresAt, now])
}

const verifiedUserStatement: Statement = {
  name: 'verified-user',
  text: `select u.name, u.email from auth_verifications v join auth_users u on u.id = v.value
    where v.identifier = $1 and v."expiresAt" > $2`,
}

export async function findVerifiedUser(
  db: Db,
  identifier: string,
  now: Date,
): Promise<{ name: string; email: string } | null> {
  const [row] = await db.query<{ name: string; email: string }>(verifiedUserStatement, [identifier, now])
  return row ?? null
}

const deleteVerificationsStatement: Statement = {
  name: 'delete-verifications',
  text: 'delete from auth_verifications where value = $1',
}

export async function deleteVerifications(db: Db, userId: string): Promise<void> {
  await db.query(deleteVerificationsStatement, [userId])
}

const insertMailStatement: Statement = {
  name: 'insert-person-mail',
  text: `insert into mails (installer_id, id, company_id, to_address, subject, body, created_at, next_attempt_at, urgent)
    values ($1, $2, $3, $4, $5, $6, $7, $7, true)`,
}

export interface PersonMail {
  installerId: string
  companyId: string
  to: string
  subject: string
  body: string
}

export async function insertPersonMail(db: Db, id: string, mail: PersonMail, now: Date): Promise<void> {
  const { installerId, companyId, to, subject, body } = mail
  await db.query(insertMailStatement, [installerId, id, companyId, to, subject, body, now])
}

const chooseCompanyStatement: Statement = {
  name: 'choose-company',
  text: 'update auth_sessions set "memberId" = $2 where id = $1',
}

/** From now on the session is the person's as this member. */
export async function chooseCompany(db: Db, sessionId: string, memberId: string): Promise<void> {
  await db.query(chooseCompanyStatement, [sessionId, memberId])
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
