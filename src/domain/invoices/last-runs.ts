import { type Context, reachOf, requireRunner } from '../context.ts'
import type { BillingRun } from './run.ts'
import { listRuns } from './run-queries.ts'

const shown = 24

/** The monthly runs that people started, the newest first. */
export async function lastRuns(ctx: Context): Promise<BillingRun[]> {
  requireRunner(ctx.actor, 'bill customers')
  return listRuns(ctx.db, reachOf(ctx), shown)
}
