import type { Database } from '../../../platform/db.ts'
import { withinTransaction } from '../../../platform/within-transaction.ts'
import { commandLine } from '../../journal/audit/command-line.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { lockTenant } from '../../kernel/tenant/clock-queries.ts'
import type { Member, Role } from '../../kernel/tenant/member.ts'
import { requireCompany } from '../../kernel/tenant/require-company.ts'
import { addMember } from '../members/add-member.ts'
import { findMember } from '../members/queries.ts'
import { accountOf } from './queries.ts'
import { type LinkWriting, writeInvitation } from './write-invitation.ts'

export interface Newcomer {
  company: string
  email: string
  /** Of who is no member yet. */
  name?: string | undefined
  role?: Role | undefined
}

/** Invites a member, made where there is none, by whoever runs the server; answers the address that lets them in. */
export async function inviteByOperator(
  db: Database,
  now: Date,
  links: LinkWriting,
  { company: companyKey, email, name, role }: Newcomer,
): Promise<{ member: Member; link: string }> {
  return db.transaction(async (tx) => {
    const within = withinTransaction(tx)
    const company = await requireCompany(within, companyKey)
    await lockTenant(within, company.installerId)
    let member = await findMember(within, { installerId: company.installerId, companyId: company.id }, email)
    if (!member) {
      if (!name || !role)
        throw new DomainError('invalid', `${company.name} has no member ${email} yet: say --name and --role.`)
      member = await addMember(within, now, { company: company.id, email, name, role }, commandLine(company))
    }
    if (!member.active)
      throw new DomainError('invalid', `${email} is deactivated at ${company.name} and cannot sign in.`)
    // Who has accepted signs in.
    if (await accountOf(within, { installerId: company.installerId, id: member.id }))
      return { member, link: `${links.baseUrl}/sign-in` }
    const by = commandLine(company)
    const link = await writeInvitation(within, now, links, { member, company, by, from: company.name })
    return { member, link }
  })
}
