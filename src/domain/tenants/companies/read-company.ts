import { findUsage } from '../../deals/storage/queries.ts'
import type { StorageUsage } from '../../deals/storage/usage.ts'
import type { Context } from '../../kernel/context.ts'
import { authorize } from '../../kernel/policy.ts'
import type { Company } from '../../kernel/tenant/company.ts'
import { requireManagedCompany } from '../people/invite-member.ts'
import { findLogo, type Logo } from './logo-queries.ts'
import { isSecondFactorRequired } from './second-factor-rule.ts'

/** A company as those see it who decide for it. */
export async function readCompany(
  ctx: Context,
  id: string,
): Promise<{ company: Company; logo: Logo | null; secondFactorRequired: boolean; storage: StorageUsage }> {
  authorize(ctx.actor, 'company.change')
  const company = await requireManagedCompany(ctx, ctx.db, id)
  const named = { installerId: company.installerId, companyId: company.id }
  return {
    company,
    logo: await findLogo(ctx.db, named),
    secondFactorRequired: await isSecondFactorRequired(ctx.db, named),
    storage: await findUsage(ctx.db, named),
  }
}
