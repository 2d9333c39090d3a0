import type { Database } from '../../../platform/db.ts'
import { listPlansAfter, type PlannedInstallation } from '../plans/plan-queries.ts'
import { type BillingRun, claimMs, runOutcome } from './run.ts'
import { attempt } from './run-month.ts'
import { claimRun, endRun, findProgress, insertOutcome, keepRun } from './run-queries.ts'

/** So many plans are billed before others are told that somebody still works on it: some seconds at most. */
const atOnce = 50

/** Takes up one run that waits to be worked on, from where it stood; false where none does. */
export async function workOnNextRun(db: Database, signal: AbortSignal): Promise<boolean> {
  const now = new Date()
  const run = await claimRun(db, { now, until: new Date(now.getTime() + claimMs) })
  if (!run) return false
  let { reached } = await findProgress(db, run)
  while (!signal.aborted) {
    const page = await listPlansAfter(db, run.installerId, { ...run, installationId: reached }, atOnce)
    for (const planned of page) {
      if (signal.aborted) return true
      if (!concerns(run, planned)) continue
      const outcome = await attempt(db, now, planned, run.month)
      // Of a plan that has ended it is told only where something came of it.
      if (planned.plan.endedAt !== null && outcome.outcome === 'skipped') continue
      await insertOutcome(db, {
        ...outcome,
        runId: run.id,
        outcome: runOutcome(outcome),
        currency: planned.plan.currency,
      })
    }
    if (page.length < atOnce) {
      await endRun(db, { ...run, at: new Date() })
      return true
    }
    reached = page.at(-1)!.plan.installationId
    await keepRun(db, { ...run, until: new Date(Date.now() + claimMs) })
  }
  return true
}

/** The installer's is of the whole tenant. */
function concerns({ companyId, installerId }: BillingRun, { installation }: PlannedInstallation): boolean {
  return companyId === installerId || installation.companyId === companyId
}
