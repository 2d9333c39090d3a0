import type { Database } from '../../../platform/db.ts'
import { withinTransaction } from '../../../platform/within-transaction.ts'
import type { Origin } from '../../journal/audit/security-event.ts'
import { writeMail } from '../../journal/mails/write-mail.ts'
import type { Actor } from '../../kernel/context.ts'
import type { Membership } from '../../kernel/tenant/member.ts'
import { updateMember } from '../members/update-member.ts'
import { accountMail } from './account-mails.ts'
import { deleteSessions, listMemberships, lockAccount, partFromCompany } from './queries.ts'

export interface Leaving {
  db: Database
  now: Date
  origin: Origin
  baseUrl: string
}

/**
 * Ends a person's work for one company, by themselves. What they did stays theirs there; their consent does not: the
 * company has to invite them again. Answers for whom they go on working.
 */
export async function leaveCompany(
  { db, now, origin, baseUrl }: Leaving,
  person: { userId: string; email: string },
  leaving: Membership,
): Promise<Membership[]> {
  const { memberId, name, role, installerId, companyId, companyKind, companyName } = leaving
  const actor: Actor = {
    ...{ kind: 'member', id: memberId, name, role, installerId, companyId, companyKind },
    canWrite: true,
    ...origin,
  }
  return db.transaction(async (tx) => {
    const within = withinTransaction(tx)
    await lockAccount(within, { userId: person.userId })
    const news = {
      name,
      change: 'companyLeft' as const,
      at: now,
      from: origin,
      company: companyName,
      baseUrl,
    }
    // In its own name: no other company is told for whom else somebody works.
    await writeMail(within, now, { installerId, companyId, to: person.email, ...accountMail(news) })
    await updateMember(within, now, companyId, memberId, { active: false }, actor)
    await partFromCompany(within, { installerId, id: memberId })
    const left = await listMemberships(within, { userId: person.userId })
    if (left.length === 0) await deleteSessions(within, { userId: person.userId, keptId: null })
    return left
  })
}
