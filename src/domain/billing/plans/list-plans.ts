import { type Context, scopeOf } from '../../kernel/context.ts'
import { listing } from '../../kernel/listing.ts'
import { authorize } from '../../kernel/policy.ts'
import {
  type InstallationPlan,
  listInstallationPlans,
  listUnbilledMonths,
  type PlanFilters,
  type UnbilledMonth,
} from './plan-list-queries.ts'

/** A page of the installations, by name, each with its plan; `next` is where it goes on. */
export const pageOfPlans = listing(
  'anything',
  async (
    ctx: Context,
    wanted: PlanFilters & { after: string | null; limit: number },
  ): Promise<{ installations: InstallationPlan[]; next: string | null }> => {
    authorize(ctx.actor, 'billing.read')
    const { limit } = wanted
    const found = await listInstallationPlans(ctx.db, { ...scopeOf(ctx), ...wanted, limit: limit + 1 })
    const installations = found.slice(0, limit)
    return { installations, next: found.length > limit ? installations.at(-1)!.id : null }
  },
)

type Place = Pick<UnbilledMonth, 'month' | 'installationId'>

/** A page of the months that are not billed, the newest first; `next` is where it goes on. */
export const pageOfUnbilled = listing(
  'anything',
  async (
    ctx: Context,
    after: Place | null,
    limit: number,
  ): Promise<{ months: UnbilledMonth[]; next: Place | null }> => {
    authorize(ctx.actor, 'billing.read')
    const found = await listUnbilledMonths(ctx.db, {
      ...scopeOf(ctx),
      afterMonth: after?.month ?? null,
      afterId: after?.installationId ?? null,
      limit: limit + 1,
    })
    const months = found.slice(0, limit)
    return { months, next: found.length > limit ? months.at(-1)! : null }
  },
)
