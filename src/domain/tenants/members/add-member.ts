import { isUniqueViolation } from '../../../platform/database-errors.ts'
import type { Database } from '../../../platform/db.ts'
import { newId } from '../../../platform/ids.ts'
import { recordSetting } from '../../journal/audit/record-setting.ts'
import type { Actor } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { requireEmail } from '../../kernel/email.ts'
import { checkName } from '../../kernel/name.ts'
import { bumpDirectory } from '../../kernel/tenant/clock-queries.ts'
import type { Member, Role } from '../../kernel/tenant/member.ts'
import { requireCompany } from '../../kernel/tenant/require-company.ts'
import { insertMember } from './queries.ts'

export interface NewMember {
  company: string
  email: string
  name: string
  phone?: string | null
  role: Role
}

/** `by` is noted where whoever calls does not note more about it. */
export async function addMember(db: Database, now: Date, input: NewMember, by?: Actor): Promise<Member> {
  const email = requireEmail(input.email)
  if (!input.name.trim()) throw new DomainError('invalid', 'A member needs a name.')
  checkName(input.name.trim())
  const company = await requireCompany(db, input.company)
  const member: Member = {
    id: newId('memb'),
    companyId: company.id,
    email,
    name: input.name.trim(),
    phone: input.phone ?? null,
    role: input.role,
    active: true,
  }
  try {
    await db.transaction(async (tx) => {
      await bumpDirectory(tx, company.installerId)
      await insertMember(tx, { ...member, installerId: company.installerId, now })
      if (!by) return
      await recordSetting(tx, by, now, {
        type: 'member.added',
        companyId: company.id,
        subjectId: member.id,
        name: member.name,
        changes: { email: [null, member.email], role: [null, member.role] },
      })
    })
  } catch (error) {
    if (!isUniqueViolation(error, 'members_by_email')) throw error
    throw new DomainError('invalid', `${company.name} has a member ${member.email} already.`)
  }
  return member
}
