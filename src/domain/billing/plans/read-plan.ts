import type { Db } from '../../../platform/db.ts'
import { type Context, confinedTo } from '../../kernel/context.ts'
import { DomainError, notFound } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import type { BillingPlan, HeldMonth } from './plan.ts'
import { type BilledInstallation, findBilledInstallation, findPlan, listHeldMonths } from './plan-queries.ts'

export async function readPlan(
  ctx: Context,
  installationId: string,
): Promise<{ plan: BillingPlan; held: HeldMonth[]; installation: BilledInstallation }> {
  const { db, actor } = ctx
  const installation = await requireBilledInstallation(db, ctx, installationId)
  const key = { installerId: actor.installerId, installationId: installation.id }
  const plan = await findPlan(db, key)
  if (!plan) throw noPlan()
  return { plan, held: await listHeldMonths(db, key), installation }
}

export async function requireBilledInstallation(
  db: Db,
  { actor }: Context,
  installationId: string,
  find = findBilledInstallation,
): Promise<BilledInstallation> {
  authorize(actor, 'billing.read')
  const installation = await find(db, {
    installerId: actor.installerId,
    companyId: confinedTo(actor),
    id: installationId,
  })
  if (!installation) throw notFound('installation')
  return installation
}

function noPlan(): DomainError {
  return new DomainError('not_found', 'This installation has no billing plan. Set one first.')
}
