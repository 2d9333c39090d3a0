import type { Db } from '../../../platform/db.ts'
import { boolean, row, select, text } from '../../../platform/sql/row.ts'
import { type Params, sql } from '../../../platform/sql/sql.ts'
import { many, maybeOne, run } from '../../../platform/sql/statements.ts'
import { emailKey } from '../../kernel/email.ts'
import type { Member } from '../../kernel/tenant/member.ts'

type Written = Omit<Member, 'active'> & { installerId: string; now: Date }

export const insertMember = run(
  ($: Params<Written>) => sql`
    insert into members (installer_id, id, company_id, email, name, phone, role, created_at)
    values (${$.installerId}, ${$.id}, ${$.companyId}, ${$.email}, ${$.name}, ${$.phone}, ${$.role}, ${$.now})`,
)

export const updateMemberRow = run(
  ($: Params<Written & { active: boolean }>) => sql`
    update members set email = ${$.email}, name = ${$.name}, phone = ${$.phone}, role = ${$.role},
      deactivated_at = case when ${$.active} then null else coalesce(deactivated_at, ${$.now}) end
    where installer_id = ${$.installerId} and id = ${$.id}`,
)

const member = row<Member>({
  id: text,
  companyId: text,
  email: text,
  name: text,
  phone: text,
  role: text,
  active: boolean,
})
const columns = select(member, '', { active: sql`deactivated_at is null` })

/** A company's members by email, those after one. */
export const listMembers = many(
  member,
  ($: Params<{ installerId: string; companyId: string; afterEmail: string; limit: number }>) => sql`
    select ${columns} from members
    where installer_id = ${$.installerId} and company_id = ${$.companyId} and email > ${$.afterEmail}
    order by email limit ${$.limit}`,
)

const memberByIdOrEmail = maybeOne(
  member,
  ($: Params<{ installerId: string; companyId: string; id: string; email: string }>) => sql`
    select ${columns} from members
    where installer_id = ${$.installerId} and company_id = ${$.companyId} and (id = ${$.id} or email = ${$.email})`,
)

/** A company's member by id or email. */
export function findMember(
  db: Db,
  company: { installerId: string; companyId: string },
  key: string,
): Promise<Member | null> {
  return memberByIdOrEmail(db, { ...company, id: key, email: emailKey(key) })
}
