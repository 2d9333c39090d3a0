import { noteErasures, resumeErasures } from '../domain/operations/privacy/finish-erasure.ts'
import { type RetentionParts, retainNext } from '../domain/operations/privacy/run-retention.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { Job } from './jobs.ts'

export interface PrivacyParts extends RetentionParts {
  log: Log
  metrics: Pick<Metrics, 'retained'>
}

/** Finishes what was begun to be erased, and goes by how long companies keep things: once a day each. */
export function privacyJobs(parts: PrivacyParts): Job[] {
  return [
    {
      name: 'finish erasures',
      everyMs: 60_000,
      run: async (signal) => {
        const finished = await resumeErasures(parts.db, parts, signal)
        if (finished > 0) parts.log.info({ finished }, 'finished erasing customers')
        await noteErasures(parts.db, parts)
      },
    },
    {
      name: 'go by retention',
      everyMs: 300_000,
      run: async (signal) => {
        while (!signal.aborted) {
          const done = await retainNext(parts, new Date(), signal)
          if (!done) return
          parts.metrics.retained(done.leads, done.mails)
          parts.log.info(done, 'erased what a company keeps no longer')
        }
      },
    },
  ]
}
