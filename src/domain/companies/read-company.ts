import type { Context } from '../context.ts'
import { requireManagedCompany } from '../people/require-managed-company.ts'
import { authorize } from '../policy.ts'
import { findUsage } from '../storage/queries.ts'
import type { StorageUsage } from '../storage/usage.ts'
import type { Company } from './company.ts'
import { findLogo, type Logo } from './logo-queries.ts'
import { isSecondFactorRequired } from './second-factor-rule.ts'

/** A company as those see it who decide for it. */
export async function readCompany(
  ctx: Context,
  id: string,
): Promise<{ company: Company; logo: Logo | null; secondFactorRequired: boolean; storage: StorageUsage }> {
  authorize(ctx.actor, 'company.change')
  const company = await requireManagedCompany(ctx, ctx.db, id)
  const { installerId } = company
  return {
    company,
    logo: await findLogo(ctx.db, installerId, company.id),
    secondFactorRequired: await isSecondFactorRequired(ctx.db, installerId, company.id),
    storage: await findUsage(ctx.db, installerId, company.id),
  }
}
