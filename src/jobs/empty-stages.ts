import type { Context } from '../domain/kernel/context.ts'
import { emptyStages } from '../domain/tenants/ladders/empty-stages.ts'
import type { Job } from './jobs.ts'

/** Moves projects out of stages that were retired, some at a time. */
export function emptyingJob(base: Pick<Context, 'db' | 'directories'>): Job {
  return {
    name: 'empty retired stages',
    everyMs: 1_000,
    run: async (signal) => {
      while (!signal.aborted && (await emptyStages(base, signal)));
    },
  }
}
