import type { Context } from '../context.ts'
import { requireAdmin } from '../people/require-admin.ts'
import { requireManagedCompany } from '../people/require-managed-company.ts'
import type { Company } from './company.ts'
import { findLogo, type Logo } from './logo-queries.ts'

/** A company as those see it who decide for it. */
export async function readCompany(
  ctx: Context,
  id: string,
): Promise<{ company: Company; logo: Logo | null }> {
  requireAdmin(ctx.actor, 'see the company’s settings')
  const company = await requireManagedCompany(ctx, ctx.db, id)
  return { company, logo: await findLogo(ctx.db, company.installerId, company.id) }
}
