import { currentTime } from '../../../platform/clock.ts'
import { recordSetting } from '../../journal/audit/record-setting.ts'
import type { LongJobDeps, LongJobKind } from '../../journal/long-jobs/long-job.ts'
import { listPlansAfter, type PlannedInstallation } from '../plans/plan-queries.ts'
import { type BillingRun, runKind, runOutcome } from './run.ts'
import { attempt } from './run-month.ts'
import { findProgress, insertOutcome } from './run-queries.ts'

const atOnce = 20

/** Bills a month by every plan, and notes what came of each. */
export const runJob: LongJobKind = {
  kind: runKind,
  action: 'billing.run',
  work,
  stopping: ({ actor, now }, tx, { companyId, id, input }) =>
    recordSetting(tx, actor, now, {
      type: 'plan.run_stopped',
      companyId,
      subjectId: id,
      name: (input as BillingRun['input']).month.slice(0, 7),
    }),
}

async function* work({ db }: LongJobDeps, run: BillingRun): AsyncGenerator<number, boolean> {
  const { month } = run.input
  let { reached } = await findProgress(db, run)
  for (let done = run.done; ; ) {
    const page = await listPlansAfter(db, run.installerId, { ...run, installationId: reached }, atOnce)
    for (const planned of page) {
      if (!concerns(run, planned)) continue
      done++
      const outcome = await attempt(db, currentTime(), planned, month)
      // Of a plan that has ended it is told only where something came of it.
      if (planned.plan.endedAt !== null && outcome.outcome === 'skipped') continue
      await insertOutcome(db, {
        ...outcome,
        runId: run.id,
        outcome: runOutcome(outcome),
        currency: planned.plan.currency,
      })
    }
    yield done
    if (page.length < atOnce) return true
    reached = page.at(-1)!.plan.installationId
  }
}

/** The installer's is of the whole tenant. */
function concerns({ companyId, installerId }: BillingRun, { installation }: PlannedInstallation): boolean {
  return companyId === installerId || installation.companyId === companyId
}
