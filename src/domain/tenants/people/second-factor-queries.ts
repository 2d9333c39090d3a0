import type { Db } from '../../../platform/db.ts'
import { boolean, row, select, text } from '../../../platform/sql/row.ts'
import { type Params, sql } from '../../../platform/sql/sql.ts'
import { exists, many, run, scalar } from '../../../platform/sql/statements.ts'
import type { Role } from '../../kernel/tenant/member.ts'

/** A member that an account is, at work or not. */
export interface OwnMember {
  installerId: string
  id: string
  role: Role
  secondFactorRequired: boolean
}

const ownMember = row<OwnMember>({ installerId: text, id: text, role: text, secondFactorRequired: boolean })

/** Every member that an account is, also of companies that are suspended or have let them go: both can be undone. */
export const listOwnMembers = many(
  ownMember,
  ($: Params<{ userId: string }>) => sql`
    select ${select(ownMember, 'm', { secondFactorRequired: sql`c.second_factor_required` })}
    from members m join companies c on c.installer_id = m.installer_id and c.id = m.company_id
    where m.user_id = ${$.userId}`,
  { across: 'a person may work for companies of several tenants' },
)

/** Whether an account is more than this one member. */
export async function worksElsewhere(
  db: Db,
  userId: string,
  installerId: string,
  id: string,
): Promise<boolean> {
  const members = await listOwnMembers(db, { userId })
  return members.some((member) => member.installerId !== installerId || member.id !== id)
}

type MemberId = Pick<OwnMember, 'installerId' | 'id'>

/** The company required the factor that is gone: it has a word in what follows. */
export const noteLostFactor = run(
  ($: Params<MemberId & { now: Date }>) => sql`
    update members set factor_lost_at = ${$.now} where installer_id = ${$.installerId} and id = ${$.id}`,
)

/** Whether the member had lost it; from now on they may set up another one. */
export const forgiveLostFactor = exists(
  ($: Params<MemberId>) => sql`
    update members set factor_lost_at = null
    where installer_id = ${$.installerId} and id = ${$.id} and factor_lost_at is not null returning id`,
)

/** Where an account is written to. */
export const addressOf = scalar(
  { email: text },
  ($: Params<{ userId: string }>) => sql`select email from auth_users where id = ${$.userId}`,
)
