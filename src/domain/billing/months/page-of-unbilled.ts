import { type Context, reachOf } from '../../kernel/context.ts'
import { authorize } from '../../kernel/policy.ts'
import { listUnbilledMonths, type UnbilledMonth } from '../plans/plan-list-queries.ts'

type Place = Pick<UnbilledMonth, 'month' | 'installationId'>

/** A page of the months that are not billed, the newest first; `next` is where it goes on. */
export async function pageOfUnbilled(
  ctx: Context,
  after: Place | null,
  limit: number,
): Promise<{ months: UnbilledMonth[]; next: Place | null }> {
  authorize(ctx.actor, 'billing.read')
  const found = await listUnbilledMonths(ctx.db, reachOf(ctx), after, limit + 1)
  const months = found.slice(0, limit)
  return { months, next: found.length > limit ? months.at(-1)! : null }
}
