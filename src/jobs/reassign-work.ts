import type { Context } from '../domain/kernel/context.ts'
import { workOnNextReassignment } from '../domain/tenants/reassignments/work-on-reassignment.ts'
import type { Job } from './jobs.ts'

/** Gives the work of people who leave to others, one order at a time. */
export function reassignmentJob(base: Pick<Context, 'db' | 'directories'>): Job {
  return {
    name: 'reassign work',
    everyMs: 500,
    run: async (signal) => {
      while (!signal.aborted && (await workOnNextReassignment(base, signal)));
    },
  }
}
