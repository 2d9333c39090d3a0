import { noteErasures, resumeErasures } from '../domain/operations/privacy/finish-erasure.ts'
import { type RetentionDeps, runNextRetention } from '../domain/operations/privacy/run-retention.ts'
import { currentTime } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { Job } from './jobs.ts'

export interface PrivacyDeps extends RetentionDeps {
  log: Log
  metrics: Pick<Metrics, 'retained'>
}

/** Finishes what was begun to be erased, and goes by how long companies keep things: once a day each. */
export function privacyJobs(deps: PrivacyDeps): Job[] {
  return [
    {
      name: 'finish erasures',
      everyMs: 60_000,
      run: async (signal) => {
        const finished = await resumeErasures(deps.db, deps, signal)
        if (finished > 0) deps.log.info({ finished }, 'finished erasing customers')
        await noteErasures(deps.db, deps)
      },
    },
    {
      name: 'go by retention',
      everyMs: 300_000,
      run: async (signal) => {
        while (!signal.aborted) {
          const done = await runNextRetention(deps, currentTime(), signal)
          if (!done) return
          deps.metrics.retained(done.leads, done.mails)
          deps.log.info(done, 'erased what a company keeps no longer')
        }
      },
    },
  ]
}
