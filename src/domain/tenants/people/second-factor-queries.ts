import type { Db, Statement } from '../../../platform/db.ts'
import type { Role } from '../../kernel/tenant/member.ts'

/** A member that an account is, at work or not. */
export interface OwnMember {
  installerId: string
  id: string
  role: Role
  secondFactorRequired: boolean
}

const ownMembersStatement: Statement = {
  name: 'members-of-account',
  text: `select m.installer_id as "installerId", m.id, m.role, c.second_factor_required as "secondFactorRequired"
    from members m join companies c on c.installer_id = m.installer_id and c.id = m.company_id where m.user_id = $1`,
}

/** Every member that an account is, also of companies that are suspended or have let them go: both can be undone. */
export function listOwnMembers(db: Db, userId: string): Promise<OwnMember[]> {
  return db.query<OwnMember>(ownMembersStatement, [userId])
}

/** Whether an account is more than this one member. */
export async function worksElsewhere(
  db: Db,
  userId: string,
  installerId: string,
  id: string,
): Promise<boolean> {
  const members = await listOwnMembers(db, userId)
  return members.some((member) => member.installerId !== installerId || member.id !== id)
}

const loseStatement: Statement = {
  name: 'lose-second-factor',
  text: 'update members set factor_lost_at = $3 where installer_id = $1 and id = $2',
}

/** The company required the factor that is gone: it has a word in what follows. */
export async function noteLostFactor(
  db: Db,
  { installerId, id }: Pick<OwnMember, 'installerId' | 'id'>,
  now: Date,
): Promise<void> {
  await db.query(loseStatement, [installerId, id, now])
}

const forgiveStatement: Statement = {
  name: 'forgive-lost-factor',
  text: `update members set factor_lost_at = null
    where installer_id = $1 and id = $2 and factor_lost_at is not null returning id`,
}

/** Whether the member had lost it; from now on they may set up another one. */
export async function forgiveLostFactor(db: Db, installerId: string, id: string): Promise<boolean> {
  return (await db.query(forgiveStatement, [installerId, id])).length > 0
}

const addressStatement: Statement = {
  name: 'address-of-account',
  text: 'select email from auth_users where id = $1',
}

/** Where an account is written to. */
export async function addressOf(db: Db, userId: string): Promise<string> {
  const [row] = await db.query<{ email: string }>(addressStatement, [userId])
  return row!.email
}
