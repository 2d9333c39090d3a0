import { type Context, reachOf } from '../../kernel/context.ts'
import { authorize } from '../../kernel/policy.ts'
import type { BillingRun } from './run.ts'
import { listRuns } from './run-queries.ts'

const shown = 24

/** The monthly runs that people started, the newest first. */
export async function lastRuns(ctx: Context): Promise<BillingRun[]> {
  authorize(ctx.actor, 'billing.read')
  return listRuns(ctx.db, { ...reachOf(ctx), limit: shown })
}
