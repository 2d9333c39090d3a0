import { type Context, reachOf } from '../../kernel/context.ts'
import { authorize } from '../../kernel/policy.ts'
import { type InstallationPlan, listInstallationPlans, type PlanFilters } from './plan-list-queries.ts'

/** A page of the installations, by name, each with its plan; `next` is where it goes on. */
export async function pageOfPlans(
  ctx: Context,
  { after, limit, ...filters }: PlanFilters & { after: string | null; limit: number },
): Promise<{ installations: InstallationPlan[]; next: string | null }> {
  authorize(ctx.actor, 'billing.read')
  const found = await listInstallationPlans(ctx.db, reachOf(ctx), filters, after, limit + 1)
  const installations = found.slice(0, limit)
  return { installations, next: found.length > limit ? installations.at(-1)!.id : null }
}
