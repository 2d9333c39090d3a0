import type { Database } from '../../platform/db.ts'
import { bumpDirectory, loadDirectory } from '../companies/queries.ts'
import { requireCompany } from '../companies/require-company.ts'
import { DomainError } from '../domain-error.ts'
import { rerender } from '../renderings/rerender.ts'
import type { Member } from './member.ts'
import { updateMember } from './queries.ts'

export type MemberPatch = Partial<Pick<Member, 'email' | 'name' | 'phone' | 'role' | 'active'>>

/** Changes a member by id or email. A new name, email or phone shows in every record, as a change. */
export async function changeMember(
  db: Database,
  now: Date,
  companyKey: string,
  memberKey: string,
  patch: MemberPatch,
): Promise<Member> {
  const company = await requireCompany(db, companyKey)
  return db.transaction(async (tx) => {
    await bumpDirectory(tx, company.installerId)
    const directory = await loadDirectory(tx, company.installerId)
    const member = [...directory.members.values()].find(
      (m) =>
        m.companyId === company.id &&
        (m.id === memberKey || m.email.toLowerCase() === memberKey.toLowerCase()),
    )
    if (!member) throw new DomainError('not_found', `${company.name} has no member ${memberKey}.`)
    const changed = { ...member, ...patch }
    await updateMember(tx, company.installerId, changed, now)
    if (changed.name !== member.name || changed.email !== member.email || changed.phone !== member.phone) {
      await rerender(tx, now, company.installerId, 'member', member.id)
    }
    return changed
  })
}
