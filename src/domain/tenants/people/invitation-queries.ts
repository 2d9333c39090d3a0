import { boolean, instant, integer, row, select, text } from '../../../platform/sql/row.ts'
import { type Params, raw, sql } from '../../../platform/sql/sql.ts'
import { exists, many, maybeOne, run, scalar, scalars } from '../../../platform/sql/statements.ts'
import type { Invitation, InvitationState } from './invitation.ts'

interface NewInvitation {
  installerId: string
  id: string
  companyId: string
  memberId: string
  email: string
  tokenHash: Buffer
  byId: string | null
  byName: string
  expiresAt: Date
  now: Date
}

export const insertInvitation = run(
  ($: Params<NewInvitation>) => sql`
    insert into invitations
      (installer_id, id, company_id, member_id, email, token_hash, by_id, by_name, created_at, expires_at)
    values (${$.installerId}, ${$.id}, ${$.companyId}, ${$.memberId}, ${$.email}, ${$.tokenHash}, ${$.byId},
      ${$.byName}, ${$.now}, ${$.expiresAt})`,
)

/** How many were written to an address since a time, by the installer and all its dealers. */
export const countInvitations = scalar(
  { count: integer },
  ($: Params<{ installerId: string; email: string; since: Date }>) => sql`
    select count(*)::int as count from invitations
    where installer_id = ${$.installerId} and email = ${$.email} and created_at > ${$.since}`,
)

const invitation = row<Invitation>({
  installerId: text,
  id: text,
  companyId: text,
  companyName: text,
  companyKind: text,
  memberId: text,
  name: text,
  role: text,
  email: text,
  byName: text,
  expiresAt: instant,
  mailed: boolean,
})

/** Only while everything that it was written about still is so. */
const openInvitations = ($: Params<{ now: Date }>) => sql`
  select ${select(invitation, 'i', {
    companyName: sql`c.name`,
    companyKind: sql`c.kind`,
    name: sql`m.name`,
    role: sql`m.role`,
    mailed: sql`i.mailed_at is not null and i.shown_at is null`,
  })}
  from invitations i
    join members m on m.installer_id = i.installer_id and m.id = i.member_id
    join companies c on c.installer_id = i.installer_id and c.id = i.company_id
    join companies tenant on tenant.installer_id = i.installer_id and tenant.id = i.installer_id
  where i.state = 'open' and i.expires_at > ${$.now} and m.deactivated_at is null and m.user_id is null
    and m.email = i.email and c.status = 'active' and tenant.status = 'active'`

/** The invitation whose secret has this hash, while it can be accepted. */
export const findByToken = maybeOne(
  invitation,
  ($: Params<{ tokenHash: Buffer; now: Date }>) =>
    sql`${openInvitations($)} and i.token_hash = ${$.tokenHash}`,
  { across: 'who comes back with an invitation is known by its secret alone' },
)

type InvitationId = Pick<Invitation, 'installerId' | 'id'>

/** A tenant's invitation, while it can be accepted. */
export const findOpen = maybeOne(
  invitation,
  ($: Params<InvitationId & { now: Date }>) =>
    sql`${openInvitations($)} and i.installer_id = ${$.installerId} and i.id = ${$.id}`,
)

/** More than this nobody is shown at once. */
const maxShown = 50

const newestFirst = (rows: Invitation[]) =>
  rows.toSorted((a, b) => b.expiresAt.getTime() - a.expiresAt.getTime()).slice(0, maxShown)

/** What an address is invited to just now, the newest first. */
export const listByEmail = many(
  invitation,
  ($: Params<{ email: string; now: Date }>) => sql`
    ${openInvitations($)} and i.email = ${$.email} order by i.created_at desc, i.id limit ${raw(maxShown)}`,
  { across: 'a person may be invited by companies of several tenants', gather: newestFirst },
)

/** Whether it was open until now: of several who end it at once, one does. */
export const endInvitation = exists(
  ($: Params<InvitationId & { state: Exclude<InvitationState, 'open'>; now: Date }>) => sql`
    update invitations set state = ${$.state}, ended_at = ${$.now}
    where installer_id = ${$.installerId} and id = ${$.id} and state = 'open' and expires_at > ${$.now} returning id`,
)

/** The open invitation of a member, where there is one, is so no more; answers its id. */
export const endOfMember = scalars(
  { id: text },
  ($: Params<{ installerId: string; memberId: string; state: 'withdrawn' | 'replaced'; now: Date }>) => sql`
    update invitations set state = ${$.state}, ended_at = ${$.now}
    where installer_id = ${$.installerId} and member_id = ${$.memberId} and state = 'open' returning id`,
)

export const noteInvitationMailed = run(
  ($: Params<InvitationId & { now: Date }>) => sql`
    update invitations set mailed_at = ${$.now} where installer_id = ${$.installerId} and id = ${$.id}`,
)

/** Its link was shown to somebody else: whoever comes back with it need not be who reads that address. */
export const noteInvitationShown = run(
  ($: Params<InvitationId & { now: Date }>) => sql`
    update invitations set shown_at = ${$.now}
    where installer_id = ${$.installerId} and id = ${$.id} and shown_at is null`,
)

/** How far somebody is on their way in. */
export interface JoinState {
  memberId: string
  /** Null while they have not joined. */
  userId: string | null
  factorLost: boolean
  state: InvitationState | null
  expiresAt: Date | null
}

/** Of these members, who has joined, and what became of the last invitation of the others. */
export const listJoinStates = many(
  row<JoinState>({ memberId: text, userId: text, factorLost: boolean, state: text, expiresAt: instant }),
  ($: Params<{ installerId: string; memberIds: readonly string[] }>) => sql`
    select m.id as "memberId", m.user_id as "userId", m.factor_lost_at is not null as "factorLost", i.state,
      i.expires_at as "expiresAt"
    from members m left join lateral (
      select state, expires_at from invitations
      where installer_id = ${$.installerId} and member_id = m.id order by created_at desc, id desc limit 1
    ) i on true
    where m.installer_id = ${$.installerId} and m.id = any(${$.memberIds}::text[])`,
)
