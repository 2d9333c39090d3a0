import type { Db } from '../../../platform/db.ts'
import { withinTransaction } from '../../../platform/within-transaction.ts'
import { recordSetting } from '../../journal/audit/record-setting.ts'
import { type Context, confinedTo } from '../../kernel/context.ts'
import { DomainError, notFound } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import { lockTenant } from '../../kernel/tenant/clock-queries.ts'
import type { Company } from '../../kernel/tenant/company.ts'
import type { Member, Role } from '../../kernel/tenant/member.ts'
import { requireCompany } from '../../kernel/tenant/require-company.ts'
import { requirePerson } from '../../kernel/tenant/require-person.ts'
import { addMember } from '../members/add-member.ts'
import { findMember } from '../members/queries.ts'
import { endInvitations, type LinkWriting, writeInvitation } from './write-invitation.ts'

/** The company whose people the actor lets in: their own, or an installer's dealer where one is named. */
export async function requireManagedCompany(
  { directories, actor }: Context,
  db: Db,
  id = actor.companyId,
): Promise<Company> {
  const { companies } = await directories.current(db, actor.installerId)
  const confined = confinedTo(actor)
  if (!companies.has(id) || (confined !== null && confined !== id)) throw notFound('company')
  return requireCompany(db, id)
}

interface NewColleague {
  email: string
  name: string
  role: Role
  /** The actor's own where none is named. */
  company?: string | undefined
}

/** Adds a person to the actor's company, or an installer's to one of its dealers, and writes to them how to come in. */
export async function inviteMember(
  ctx: Context,
  links: LinkWriting,
  { email, name, role, company: named }: NewColleague,
): Promise<Member> {
  const { db, now, actor } = ctx
  authorize(actor, 'people.manage')
  if (role === 'owner') authorize(actor, 'people.manageOwners')
  return db.transaction(async (tx) => {
    const within = withinTransaction(tx)
    const company = await requireManagedCompany(ctx, within, named)
    const member = await addMember(within, now, { company: company.id, email, name, role })
    await writeInvitation(within, now, links, { member, company, by: actor, from: actor.name })
    return member
  })
}

/** Writes another invitation to a member of the actor's company, or of a dealer of theirs; the one before ends. */
export async function inviteAgain(ctx: Context, links: LinkWriting, memberId: string): Promise<void> {
  const { db, now, actor } = ctx
  authorize(actor, 'people.manage')
  await db.transaction(async (tx) => {
    const within = withinTransaction(tx)
    const { companyId } = await requirePerson(ctx, within, memberId)
    await lockTenant(within, actor.installerId)
    const company = await requireCompany(within, companyId)
    const member = await findMember(
      within,
      { installerId: company.installerId, companyId: company.id },
      memberId,
    )
    if (!member?.active) throw notFound('person')
    if (member.role === 'owner') authorize(actor, 'people.manageOwners')
    await writeInvitation(within, now, links, { member, company, by: actor, from: actor.name })
  })
}

/** Takes back what was written to a member of the actor's company, or of a dealer of theirs. The member stays. */
export async function withdrawInvitation(ctx: Context, memberId: string): Promise<void> {
  const { db, now, actor } = ctx
  authorize(actor, 'people.manage')
  const { companyId, name, role, email } = await requirePerson(ctx, db, memberId)
  if (role === 'owner') authorize(actor, 'people.manageOwners')
  await db.transaction(async (tx) => {
    await lockTenant(tx, actor.installerId)
    if (!(await endInvitations(tx, now, { installerId: actor.installerId, memberId }, 'withdrawn')))
      throw new DomainError('invalid', `${name} has no open invitation.`)
    await recordSetting(tx, actor, now, {
      ...{ type: 'invitation.withdrawn', companyId, subjectId: memberId, name },
      changes: { email: [email, null] },
    })
  })
}
