import type { Db } from '../../../platform/db.ts'
import { boolean, instant, row, select, text } from '../../../platform/sql/row.ts'
import { type Params, sql } from '../../../platform/sql/sql.ts'
import { exists, many, maybeOne, maybeScalar, run, scalars } from '../../../platform/sql/statements.ts'
import type { Membership } from '../../kernel/tenant/member.ts'

const membership = row<Membership>({
  memberId: text,
  name: text,
  role: text,
  installerId: text,
  companyId: text,
  companyName: text,
  companyKind: text,
  secondFactorRequired: boolean,
  factorLost: boolean,
})

interface OfUser {
  userId: string
}

/**
 * The companies that an account works for; not those that are suspended, nor dealers of such. The one used last comes
 * first, then those joined earlier: nobody is moved to another company by being let in there.
 */
export const listMemberships = many(
  membership,
  ($: Params<OfUser>) => sql`
    select ${select(membership, 'm', {
      memberId: sql`m.id`,
      companyName: sql`c.name`,
      companyKind: sql`c.kind`,
      secondFactorRequired: sql`c.second_factor_required`,
      factorLost: sql`m.factor_lost_at is not null`,
    })}
    from members m join companies c on c.id = m.company_id join companies i on i.id = m.installer_id
      join auth_users u on u.id = m.user_id
    where m.user_id = ${$.userId} and m.deactivated_at is null and c.status = 'active' and i.status = 'active'
    order by m.id = u."lastMemberId" desc nulls last, m.joined_at, m.id`,
  { shared: 'read', across: 'a person may work for companies of several tenants' },
)

interface MemberId {
  installerId: string
  id: string
}

/** Makes a member the account's; whether it was nobody's and is active. */
export const joinCompany = exists(
  ($: Params<MemberId & OfUser & { now: Date }>) => sql`
    update members set user_id = ${$.userId}, joined_at = ${$.now}, factor_lost_at = null
    where installer_id = ${$.installerId} and id = ${$.id} and user_id is null and deactivated_at is null
    returning id`,
)

/** The member is nobody's account any more: whoever comes back accepts another invitation. */
export const partFromCompany = run(
  ($: Params<MemberId>) => sql`
    update members set user_id = null, joined_at = null, factor_lost_at = null
    where installer_id = ${$.installerId} and id = ${$.id}`,
)

/** Of these accounts those that more than a password opens. */
export const listWithSecondFactor = scalars(
  { userId: text },
  ($: Params<{ userIds: readonly string[] }>) => sql`
    select u.id as "userId" from auth_users u where u.id = any(${$.userIds}::text[])
      and (u."twoFactorEnabled" or exists (select from auth_passkeys p where p."userId" = u.id))`,
)

/** Whose account a member is; null while they have not joined. */
export const accountOf = maybeScalar(
  { userId: text },
  ($: Params<MemberId>) => sql`
    select user_id as "userId" from members where installer_id = ${$.installerId} and id = ${$.id}`,
)

/** A member of an address, and whose account they are. */
export interface ActiveMember {
  installerId: string
  id: string
  companyId: string
  companyName: string
  name: string
  userId: string | null
}

const activeMember = row<ActiveMember>({
  installerId: text,
  id: text,
  companyId: text,
  companyName: text,
  name: text,
  userId: text,
})

/** Who has an address among the active members of all companies. */
export const listActiveMembers = many(
  activeMember,
  ($: Params<{ email: string }>) => sql`
    select ${select(activeMember, 'm', { companyName: sql`c.name` })}
    from members m join companies c on c.id = m.company_id join companies i on i.id = m.installer_id
    where m.email = ${$.email} and m.deactivated_at is null and c.status = 'active' and i.status = 'active'
    order by c.number limit 100`,
  { across: 'for whoever runs the server' },
)

/** An account, and whether anybody could sign in to it. */
export interface Account {
  id: string
  email: string
  /** Whoever chose its password had read the mail to this address. */
  proven: boolean
  used: boolean
}

/** The account of an address, given in its one form. */
export const findAccount = maybeOne(
  row<Account>({ id: text, email: text, proven: boolean, used: boolean }),
  ($: Params<{ email: string }>) => sql`
    select u.id, u.email, u."emailVerified" as proven,
      exists (select from auth_accounts a where a."userId" = u.id and a.password is not null)
        or exists (select from auth_passkeys p where p."userId" = u.id)
        or exists (select from members m where m.user_id = u.id) as used
    from auth_users u where u.email = ${$.email}`,
  { across: 'whether anybody can sign in to it is asked before it is known for whom they work' },
)

/** What the account of an address works for; nothing where there is none. */
export async function membershipsOf(db: Db, email: string): Promise<Membership[]> {
  const account = await findAccount(db, { email })
  return account ? listMemberships(db, { userId: account.id }) : []
}

/** Until the transaction ends nobody else decides about this account. */
export const lockAccount = run(
  ($: Params<OfUser>) => sql`select id from auth_users where id = ${$.userId} for no key update`,
)

/** Nobody has proven its address yet. */
export const insertUser = run(
  ($: Params<{ id: string; name: string; email: string; now: Date }>) => sql`
    insert into auth_users (id, name, email, "emailVerified", "createdAt", "updatedAt")
    values (${$.id}, ${$.name}, ${$.email}, false, ${$.now}, ${$.now}) on conflict (email) do nothing`,
)

export const savePassword = run(
  ($: Params<OfUser & { id: string; hash: string; now: Date }>) => sql`
    insert into auth_accounts (id, "accountId", "providerId", "userId", password, "createdAt", "updatedAt")
    values (${$.id}, ${$.userId}, 'credential', ${$.userId}, ${$.hash}, ${$.now}, ${$.now})
    on conflict ("userId", "providerId", "accountId")
      do update set password = excluded.password, "updatedAt" = excluded."updatedAt"`,
)

/** The session is the person's as this member, whatever they choose elsewhere. */
export const pinSession = run(
  ($: Params<{ id: string; memberId: string }>) =>
    sql`update auth_sessions set "memberId" = ${$.memberId} where id = ${$.id}`,
)

/** Where the person's next session begins. */
export const noteUsedLast = run(
  ($: Params<OfUser & { memberId: string }>) =>
    sql`update auth_users set "lastMemberId" = ${$.memberId} where id = ${$.userId}`,
)

/** One browser in which a person is signed in. */
export interface OpenSession {
  id: string
  userAgent: string | null
  ipAddress: string | null
  createdAt: Date
  lastUsedAt: Date
  current: boolean
}

export const listSessions = many(
  row<OpenSession>({
    id: text,
    userAgent: text,
    ipAddress: text,
    createdAt: instant,
    lastUsedAt: instant,
    current: boolean,
  }),
  ($: Params<OfUser & { currentId: string; now: Date }>) => sql`
    select id, "userAgent", "ipAddress", "createdAt", "updatedAt" as "lastUsedAt", id = ${$.currentId} as current
    from auth_sessions where "userId" = ${$.userId} and "expiresAt" > ${$.now} order by "updatedAt" desc limit 100`,
)

/** Whether the person had this session. */
export const deleteSession = exists(
  ($: Params<OfUser & { id: string }>) =>
    sql`delete from auth_sessions where "userId" = ${$.userId} and id = ${$.id} returning id`,
)

/** Ends all sessions of a person but the one named, where one is. */
export const deleteSessions = run(
  ($: Params<OfUser & { keptId: string | null }>) =>
    sql`delete from auth_sessions where "userId" = ${$.userId} and id is distinct from ${$.keptId}`,
)

const isAskedForCodes = maybeScalar(
  { asked: boolean },
  ($: Params<OfUser>) => sql`select "twoFactorEnabled" as asked from auth_users where id = ${$.userId}`,
  { shared: 'read' },
)

/** Whether the person is asked for a code after the password. */
export async function asksForCodes(db: Db, userId: string): Promise<boolean> {
  return (await isAskedForCodes(db, { userId })) ?? false
}

/** No code is asked for any more: for who has lost both the device and the backup codes. */
export const deleteCodes = run(
  ($: Params<OfUser & { now: Date }>) => sql`
    with gone as (delete from auth_two_factors where "userId" = ${$.userId})
    update auth_users set "twoFactorEnabled" = false, "updatedAt" = ${$.now} where id = ${$.userId}`,
)
