import { isId } from '../../../platform/ids.ts'
import { findLongJob, listLongJobs } from '../../journal/long-jobs/queries.ts'
import { type Context, confinedTo } from '../../kernel/context.ts'
import { notFound } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import { type BillingRun, type RunOutcome, runKind } from './run.ts'
import { countOutcomes, listOutcomes, type OutcomeRow } from './run-queries.ts'

const shown = 24

/** The monthly runs that people started, the newest first. */
export async function lastRuns({ db, actor }: Context): Promise<BillingRun[]> {
  authorize(actor, 'billing.read')
  const { installerId } = actor
  return listLongJobs(db, { installerId, kind: runKind, subjectId: confinedTo(actor), limit: shown })
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
  const run = isId(id, 'job') ? await findLongJob(db, { installerId: actor.installerId, id }) : null
  const confined = confinedTo(actor)
  if (run?.kind !== runKind || (confined !== null && confined !== run.companyId))
    throw notFound('monthly run')
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
