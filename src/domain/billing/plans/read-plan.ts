import type { Db } from '../../../platform/db.ts'
import { type Context, confinedTo } from '../../kernel/context.ts'
import { DomainError, notFound } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import type { BillingPlan, HeldMonth } from './plan.ts'
import { findPlan, findSite, listHeldMonths, type Site } from './plan-queries.ts'

export async function readPlan(
  ctx: Context,
  installationId: string,
): Promise<{ plan: BillingPlan; held: HeldMonth[]; site: Site }> {
  const { db, actor } = ctx
  const site = await requireSite(db, ctx, installationId)
  const key = { installerId: actor.installerId, installationId: site.id }
  const plan = await findPlan(db, key)
  if (!plan) throw noPlan()
  return { plan, held: await listHeldMonths(db, key), site }
}

export async function requireSite(db: Db, { actor }: Context, installationId: string): Promise<Site> {
  authorize(actor, 'billing.read')
  const site = await findSite(db, {
    installerId: actor.installerId,
    companyId: confinedTo(actor),
    id: installationId,
  })
  if (!site) throw notFound('installation')
  return site
}

function noPlan(): DomainError {
  return new DomainError('not_found', 'This installation has no billing plan. Set one first.')
}
