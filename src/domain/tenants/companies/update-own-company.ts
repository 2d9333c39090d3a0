import type { Seen } from '../../kernel/changed-meanwhile.ts'
import type { Context } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import type { Company } from '../../kernel/tenant/company.ts'
import { requireManagedCompany } from '../people/invite-member.ts'
import { type CompanyPatch, updateCompany } from './update-company.ts'

/** A person changes their company, or an installer's one of its dealers, which it may suspend too. */
export async function updateOwnCompany(
  ctx: Context,
  id: string,
  patch: CompanyPatch,
  seen?: Seen,
): Promise<Company> {
  const { db, now, actor } = ctx
  authorize(actor, 'company.change')
  const company = await requireManagedCompany(ctx, db, id)
  if (patch.status !== undefined) {
    authorize(actor, 'dealers.manage')
    if (company.kind === 'installer')
      throw new DomainError(
        'invalid',
        'Your own company cannot be suspended here. Choose one of its dealers.',
      )
  }
  return updateCompany(db, now, company.id, patch, actor, seen)
}
