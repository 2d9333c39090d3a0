import { workOnNextRun } from '../domain/billing/runs/work-on-run.ts'
import type { Database } from '../platform/db.ts'
import type { Job } from './jobs.ts'

/** Bills the months that people ask for, one run at a time. */
export function billingJob(db: Database): Job {
  return {
    name: 'bill months',
    everyMs: 500,
    run: async (signal) => {
      while (!signal.aborted && (await workOnNextRun(db, signal)));
    },
  }
}
