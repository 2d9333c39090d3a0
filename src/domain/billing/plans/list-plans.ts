import { type Context, scopeOf } from '../../kernel/context.ts'
import { listing } from '../../kernel/listing.ts'
import type { PageOf } from '../../kernel/numbered-lists.ts'
import type { StartedPages } from '../../kernel/page-starts.ts'
import { authorize } from '../../kernel/policy.ts'
import { countRunningPlans, listRunningPlans, type PlanWithHeld } from './numbered-plan-queries.ts'
import type { PlanKind } from './plan.ts'
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

/** A page, by its number, of the plans that bill; the newest installation first. */
export const numberedPlans = listing(
  'anything',
  async (
    ctx: Context,
    startedPage: StartedPages,
    kind: PlanKind | undefined,
    { before, perPage }: PageOf,
  ): Promise<{ plans: PlanWithHeld[]; total: number }> => {
    authorize(ctx.actor, 'billing.read')
    const { installerId, companyId } = scopeOf(ctx)
    const wanted = { installerId, companyId, kind }
    const list = JSON.stringify(['plans', installerId, companyId, kind])
    return startedPage(list, before, async (start) => {
      const from = start.key?.[0] as string | undefined
      const skipped = before - start.before
      const page = { before, from: from ?? null, skipped, limit: perPage }
      const plans = await listRunningPlans(ctx.db, { ...wanted, ...page })
      // Past the end there is none that says it.
      const { total, changes } = plans[0] ?? (await countRunningPlans(ctx.db, wanted))
      return { plans, total, changes, first: plans[0] ? [plans[0].installationId] : null }
    })
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
