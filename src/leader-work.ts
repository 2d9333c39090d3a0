import type { Deps } from './api/deps.ts'
import type { Config } from './config.ts'
import { createDeliveryWorkers } from './domain/delivery/webhooks/delivery-workers.ts'
import { longJobKinds } from './domain/operations/long-jobs/kinds.ts'
import { startJobs } from './jobs/jobs.ts'
import { createLongJobs } from './jobs/long-jobs.ts'
import { startQueued } from './jobs/queued.ts'
import { createJobRequests } from './platform/citus/job-requests.ts'
import type { Lead } from './platform/leader.ts'
import type { OpenDatabase } from './platform/open-database.ts'
import { within } from './platform/within.ts'
import { noBacklog } from './platform/work-metrics.ts'
import { leaderJobs } from './recurring-jobs.ts'

export const jobsLimitMs = 8_000
/** What is under way has lost its database too: another lead begins sooner than it would end. */
const lostLimitMs = 500

/** What one process does for all that share the database: the queue, deliveries, mails, and what is done every so often. */
export function leaderWork(deps: Deps, config: Config, { url, shares, citus }: OpenDatabase): Lead {
  const { jobsDb: db, directories, copying, webhooks, log, metrics } = deps
  // Anew for each lead: what was broken off is over.
  return async (session, lost) => {
    const { sending } = webhooks
    const workers = createDeliveryWorkers({
      db,
      sending,
      waitsSeconds: config.webhookRetrySeconds,
      onSent: metrics.work.deliveryDone,
    })
    const longJobs = createLongJobs({ db, directories, store: copying.store }, longJobKinds, log)
    lost.addEventListener('abort', () => void workers.stop(0))
    const requests = citus
      ? createJobRequests(db, (error) => log.debug({ error: error.message }, 'a job was not handed over'))
      : null
    const recurring = await leaderJobs(deps, config, workers)
    const queued = await startQueued({
      db,
      url,
      session,
      connections: shares.queue,
      workers,
      longJobs,
      requests,
      log,
    })
    const jobs = startJobs(
      [
        ...recurring,
        ...longJobs.jobs,
        ...(requests ? [{ name: 'hand over jobs', everyMs: 5_000, run: requests.look }] : []),
      ],
      log,
      metrics.work,
    )
    metrics.leads(true)
    return {
      async stop() {
        metrics.leads(false)
        const limitMs = lost.aborted ? lostLimitMs : jobsLimitMs
        await Promise.all([within(limitMs, jobs.stop()), within(limitMs, queued.stop(limitMs))])
        metrics.work.backlog(noBacklog)
        metrics.mails.waiting(0, 0)
      },
    }
  }
}
