import type { Db, Statement } from '../../../platform/db.ts'
import type { Invitation, InvitationState } from './invitation.ts'

const insertStatement: Statement = {
  name: 'insert-invitation',
  text: `insert into invitations
      (installer_id, id, company_id, member_id, email, token_hash, by_id, by_name, created_at, expires_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
}

export interface NewInvitation {
  installerId: string
  id: string
  companyId: string
  memberId: string
  email: string
  tokenHash: Buffer
  byId: string | null
  byName: string
  expiresAt: Date
}

export async function insertInvitation(db: Db, invitation: NewInvitation, now: Date): Promise<void> {
  const { installerId, id, companyId, memberId, email, tokenHash, byId, byName, expiresAt } = invitation
  await db.query(insertStatement, [
    ...[installerId, id, companyId, memberId, email, tokenHash, byId, byName],
    ...[now, expiresAt],
  ])
}

const countStatement: Statement = {
  name: 'count-invitations',
  text: `select count(*)::int as count from invitations
    where installer_id = $1 and email = $2 and created_at > $3`,
}

/** How many were written to an address since a time, by the installer and all its dealers. */
export async function countInvitations(
  db: Db,
  installerId: string,
  email: string,
  since: Date,
): Promise<number> {
  const [row] = await db.query<{ count: number }>(countStatement, [installerId, email, since])
  return row!.count
}

// Only while everything that it was written about still is so.
const openInvitations = `select i.installer_id as "installerId", i.id, i.company_id as "companyId",
    c.name as "companyName", c.kind as "companyKind", i.member_id as "memberId", m.name, m.role, i.email,
    i.by_name as "byName", i.expires_at as "expiresAt", i.mailed_at is not null and i.shown_at is null as mailed
  from invitations i
    join members m on m.installer_id = i.installer_id and m.id = i.member_id
    join companies c on c.id = i.company_id join companies tenant on tenant.id = i.installer_id
  where i.state = 'open' and i.expires_at > $2 and m.deactivated_at is null and m.user_id is null
    and m.email = i.email and c.status = 'active' and tenant.status = 'active'`

const byTokenStatement: Statement = {
  name: 'invitation-by-token',
  text: `${openInvitations} and i.token_hash = $1 and i.installer_id = m.installer_id`,
}

/** The invitation whose secret has this hash, while it can be accepted. */
export async function findByToken(db: Db, hash: Buffer, now: Date): Promise<Invitation | null> {
  const [row] = await db.query<Invitation>(byTokenStatement, [hash, now])
  return row ?? null
}

const findOpenStatement: Statement = {
  name: 'find-open-invitation',
  text: `${openInvitations} and i.installer_id = $1 and i.id = $3`,
}

/** A tenant's invitation, while it can be accepted. */
export async function findOpen(
  db: Db,
  installerId: string,
  id: string,
  now: Date,
): Promise<Invitation | null> {
  const [row] = await db.query<Invitation>(findOpenStatement, [installerId, now, id])
  return row ?? null
}

/** More than this nobody is shown at once. */
const mostShown = 50

const byEmailStatement: Statement = {
  name: 'invitations-by-email',
  text: `${openInvitations} and i.email = $1 and i.installer_id = m.installer_id
    order by i.created_at desc, i.id limit ${mostShown}`,
}

/** What an address is invited to just now, the newest first. */
export function listByEmail(db: Db, email: string, now: Date): Promise<Invitation[]> {
  return db.query<Invitation>(byEmailStatement, [email, now])
}

const endStatement: Statement = {
  name: 'end-invitation',
  text: `update invitations set state = $3, ended_at = $4
    where installer_id = $1 and id = $2 and state = 'open' and expires_at > $4 returning id`,
}

/** Whether it was open until now: of several who end it at once, one does. */
export async function endInvitation(
  db: Db,
  { installerId, id }: Pick<Invitation, 'installerId' | 'id'>,
  state: Exclude<InvitationState, 'open'>,
  now: Date,
): Promise<boolean> {
  return (await db.query(endStatement, [installerId, id, state, now])).length > 0
}

const endOfMemberStatement: Statement = {
  name: 'end-invitations-of-member',
  text: `update invitations set state = $3, ended_at = $4
    where installer_id = $1 and member_id = $2 and state = 'open' returning id`,
}

/** The open invitation of a member, where there is one, is so no more; answers its id. */
export async function endOfMember(
  db: Db,
  installerId: string,
  memberId: string,
  state: 'withdrawn' | 'replaced',
  now: Date,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(endOfMemberStatement, [installerId, memberId, state, now])
  return rows.map(({ id }) => id)
}

const mailedStatement: Statement = {
  name: 'invitation-mailed',
  text: 'update invitations set mailed_at = $3 where installer_id = $1 and id = $2',
}

export async function noteInvitationMailed(
  db: Db,
  installerId: string,
  id: string,
  now: Date,
): Promise<void> {
  await db.query(mailedStatement, [installerId, id, now])
}

const shownStatement: Statement = {
  name: 'invitation-shown',
  text: 'update invitations set shown_at = $3 where installer_id = $1 and id = $2 and shown_at is null',
}

/** Its link was shown to somebody else: whoever comes back with it need not be who reads that address. */
export async function noteInvitationShown(db: Db, installerId: string, id: string, now: Date): Promise<void> {
  await db.query(shownStatement, [installerId, id, now])
}

/** How far somebody is on their way in. */
export interface JoinState {
  memberId: string
  joined: boolean
  state: InvitationState | null
  expiresAt: Date | null
  secondFactor: 'none' | 'set' | 'lost'
}

const joinStatesStatement: Statement = {
  name: 'join-states',
  text: `select m.id as "memberId", m.user_id is not null as joined, i.state, i.expires_at as "expiresAt",
      case when m.factor_lost_at is not null then 'lost'
        when u."twoFactorEnabled" or exists (select from auth_passkeys p where p."userId" = u.id) then 'set'
        else 'none' end as "secondFactor"
    from members m left join auth_users u on u.id = m.user_id left join lateral (
      select state, expires_at from invitations
      where installer_id = m.installer_id and member_id = m.id order by created_at desc, id desc limit 1
    ) i on true
    where m.installer_id = $1 and m.id = any($2)`,
}

/** Of these members, who has joined, and what became of the last invitation of the others. */
export function listJoinStates(
  db: Db,
  installerId: string,
  memberIds: readonly string[],
): Promise<JoinState[]> {
  return db.query<JoinState>(joinStatesStatement, [installerId, memberIds])
}
