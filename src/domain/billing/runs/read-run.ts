import { type Context, scopeOf } from '../../kernel/context.ts'
import { notFound } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import type { BillingRun, RunOutcome } from './run.ts'
import { countOutcomes, findRun, listOutcomes, listRuns, type OutcomeRow } from './run-queries.ts'

const shown = 24

/** The monthly runs that people started, the newest first. */
export async function lastRuns(ctx: Context): Promise<BillingRun[]> {
  authorize(ctx.actor, 'billing.read')
  return listRuns(ctx.db, { ...scopeOf(ctx), limit: shown })
}

export interface RunReport {
  run: BillingRun
  counts: Partial<Record<RunOutcome, number>>
  outcomes: OutcomeRow[]
  next: string | null
}

/** What came of a monthly run, so far; `next` is where the list goes on. */
export async function readRun(
  ctx: Context,
  id: string,
  { outcome, after, limit }: { outcome?: RunOutcome | undefined; after: string; limit: number },
): Promise<RunReport> {
  const { db, actor } = ctx
  authorize(actor, 'billing.read')
  const run = await findRun(db, scopeOf(ctx), id)
  if (!run) throw notFound('monthly run')
  const [counted, found] = await Promise.all([
    countOutcomes(db, run),
    listOutcomes(db, { ...run, outcome, after, limit: limit + 1 }),
  ])
  const outcomes = found.slice(0, limit)
  return {
    run,
    counts: Object.fromEntries(counted.map(({ outcome: name, count }) => [name, count])),
    outcomes,
    next: found.length > limit ? outcomes.at(-1)!.installationId : null,
  }
}
