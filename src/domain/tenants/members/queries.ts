import type { Db, Statement } from '../../../platform/db.ts'
import { emailKey } from '../../kernel/email.ts'
import type { Member } from '../../kernel/tenant/member.ts'

const insertMemberStatement: Statement = {
  name: 'insert-member',
  text: `insert into members (installer_id, id, company_id, email, name, phone, role, created_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8)`,
}

export async function insertMember(db: Db, installerId: string, member: Member, now: Date): Promise<void> {
  await db.query(insertMemberStatement, [
    installerId,
    member.id,
    member.companyId,
    member.email,
    member.name,
    member.phone,
    member.role,
    now,
  ])
}

const updateMemberStatement: Statement = {
  name: 'update-member',
  text: `update members set email = $3, name = $4, phone = $5, role = $6,
      deactivated_at = case when $7 then null else coalesce(deactivated_at, $8) end
    where installer_id = $1 and id = $2`,
}

export async function updateMember(db: Db, installerId: string, member: Member, now: Date): Promise<void> {
  await db.query(updateMemberStatement, [
    installerId,
    member.id,
    member.email,
    member.name,
    member.phone,
    member.role,
    member.active,
    now,
  ])
}

const listMembersStatement: Statement = {
  name: 'list-members',
  text: `select id, company_id as "companyId", email, name, phone, role, deactivated_at is null as active
    from members where installer_id = $1 and company_id = $2 and email > $3 order by email limit $4`,
}

/** A company's members by email, those after `afterEmail`. */
export function listMembers(
  db: Db,
  installerId: string,
  companyId: string,
  afterEmail: string,
  limit: number,
): Promise<Member[]> {
  return db.query<Member>(listMembersStatement, [installerId, companyId, emailKey(afterEmail), limit])
}

const findMemberStatement: Statement = {
  name: 'find-member',
  text: `select id, company_id as "companyId", email, name, phone, role, deactivated_at is null as active
    from members where installer_id = $1 and company_id = $2 and (id = $3 or email = $4)`,
}

/** A company's member by id or email. */
export async function findMember(
  db: Db,
  installerId: string,
  companyId: string,
  key: string,
): Promise<Member | null> {
  const [row] = await db.query<Member>(findMemberStatement, [installerId, companyId, key, emailKey(key)])
  return row ?? null
}
