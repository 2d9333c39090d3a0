import type { Database, Db } from '../../../platform/db.ts'
import { deleteFeed } from '../../deals/calendar/queries.ts'
import { endLinksOf } from '../../deals/links/queries.ts'
import { rerender } from '../../deals/renderings/rerender.ts'
import { commandLine } from '../../journal/audit/command-line.ts'
import { recordSetting } from '../../journal/audit/record-setting.ts'
import { requireUnchanged, type Seen } from '../../kernel/changed-meanwhile.ts'
import type { Actor } from '../../kernel/context.ts'
import { differences } from '../../kernel/differences.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { emailKey, requireEmail } from '../../kernel/email.ts'
import { checkName } from '../../kernel/name.ts'
import { authorize } from '../../kernel/policy.ts'
import { bumpDirectory } from '../../kernel/tenant/clock-queries.ts'
import type { Directory } from '../../kernel/tenant/directory.ts'
import type { Member } from '../../kernel/tenant/member.ts'
import { loadDirectory } from '../../kernel/tenant/queries.ts'
import { requireCompany } from '../../kernel/tenant/require-company.ts'
import { endInvitations } from '../people/write-invitation.ts'
import { updateMemberRow } from './queries.ts'

export type MemberPatch = Partial<Pick<Member, 'email' | 'name' | 'phone' | 'role' | 'active'>>

/** Changes a member by id or email. A new name, email or phone shows in every record, as a change. */
export async function updateMember(
  db: Database,
  now: Date,
  companyKey: string,
  memberKey: string,
  patch: MemberPatch,
  by?: Actor,
  seen?: Seen,
): Promise<Member> {
  if (patch.name !== undefined) checkName(patch.name)
  const company = await requireCompany(db, companyKey)
  return db.transaction(async (tx) => {
    await bumpDirectory(tx, company.installerId)
    const directory = await loadDirectory(tx, company.installerId)
    const member = [...directory.members.values()].find(
      (m) => m.companyId === company.id && (m.id === memberKey || m.email === emailKey(memberKey)),
    )
    if (!member) throw new DomainError('not_found', `${company.name} has no member ${memberKey}.`)
    const changed = {
      ...member,
      ...patch,
      ...(patch.email === undefined ? {} : { email: requireEmail(patch.email) }),
    }
    if (by) checkOwners(by, directory, member, changed)
    requireUnchanged(differences(member, changed, auditedFields), seen)
    await updateMemberRow(tx, { ...changed, installerId: company.installerId, now })
    // An invitation is for the address and the role that it was written for, while somebody is wanted.
    if (!changed.active || changed.email !== member.email || changed.role !== member.role)
      await endInvitations(tx, now, { installerId: company.installerId, memberId: member.id }, 'withdrawn')
    if (changed.name !== member.name || changed.email !== member.email || changed.phone !== member.phone) {
      await rerender(tx, now, company.installerId, 'member', member.id)
    }
    if (member.active && !changed.active) {
      await endLinksOf(tx, { installerId: company.installerId, memberId: member.id, now })
      await deleteFeed(tx, { installerId: company.installerId, memberId: member.id })
    }
    await note(tx, now, member, changed, by ?? commandLine(company))
    return changed
  })
}

/** Whoever runs the server may do what a person may not: leave a company without an owner, say. */
function checkOwners(by: Actor, { members }: Directory, before: Member, after: Member): void {
  if (before.role === 'owner' || after.role === 'owner') authorize(by, 'people.manageOwners')
  const owns = ({ role, active }: Member) => role === 'owner' && active
  const others = [...members.values()].some(
    (member) => owns(member) && member.companyId === before.companyId && member.id !== before.id,
  )
  if (owns(before) && !owns(after) && !others)
    throw new DomainError('invalid', `${before.name} is the last owner. Make somebody else an owner first.`)
}

const auditedFields = ['email', 'name', 'phone', 'role'] as const

async function note(tx: Db, now: Date, before: Member, after: Member, actor: Actor): Promise<void> {
  const changes = differences(before, after, auditedFields)
  const about = { companyId: after.companyId, subjectId: after.id, name: after.name }
  if (Object.keys(changes).length > 0)
    await recordSetting(tx, actor, now, { ...about, type: 'member.changed', changes })
  if (before.active === after.active) return
  const type = after.active
    ? 'member.reactivated'
    : actor.id === after.id
      ? 'member.left'
      : 'member.deactivated'
  await recordSetting(tx, actor, now, { ...about, type, changes: { active: [before.active, after.active] } })
}
