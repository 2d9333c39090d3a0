import type { Deps } from './api/deps.ts'
import type { Config } from './config.ts'
import { sweepProposals } from './domain/agents/sweep-proposals.ts'
import { orphanAfterMs, sweepFiles } from './domain/deals/files/sweep-files.ts'
import type { DeliveryWorkers } from './domain/delivery/webhooks/delivery-workers.ts'
import { sweepCalls } from './domain/journal/idempotency/call.ts'
import { eraseExpiredLinks } from './domain/journal/mails/link-queries.ts'
import { sweepSubmissions } from './domain/journal/submissions/submission.ts'
import { countBacklog } from './domain/operations/backlog/queries.ts'
import { countAgain } from './domain/operations/checks/count-again.ts'
import { createDayPartitions, dropOldDays } from './domain/operations/requests/partitions.ts'
import { createUpcomingPartitions } from './domain/sites/energy/partitions.ts'
import { sweepSignIns } from './domain/tenants/people/sign-in-times.ts'
import { draftInvoices } from './jobs/draft-invoices.ts'
import { expiryJob } from './jobs/expire-imports.ts'
import { findAllAlerts } from './jobs/find-alerts.ts'
import type { Job } from './jobs/jobs.ts'
import { privacyJobs } from './jobs/privacy.ts'
import { createMailSender } from './jobs/send-mails.ts'
import { webhookUpkeep } from './jobs/webhooks.ts'
import { currentTime, isClockSteady } from './platform/clock.ts'

/** What each process does of its own: it writes what it has noted, and clears the disk of its host, which no other sees. */
export function processJobs({ keys, requests, copying: { store } }: Deps): Job[] {
  const jobs: Job[] = [
    { name: 'note when keys were used', everyMs: 10_000, run: () => keys.flush() },
    {
      name: 'clear half-received files',
      everyMs: 3_600_000,
      run: async () => {
        if (isClockSteady(orphanAfterMs)) await store.clearStaleTemps(orphanAfterMs)
      },
    },
  ]
  if (requests) jobs.push({ name: 'write the request log', everyMs: 1_000, run: () => requests.flush() })
  return jobs
}

/** What is done every so often, by one process for all. */
export async function leaderJobs(deps: Deps, config: Config, workers: DeliveryWorkers): Promise<Job[]> {
  const { jobsDb: db, box, copying, log, metrics } = deps
  const jobs: Job[] = [
    {
      name: 'sweep sign-ins',
      everyMs: 3_600_000,
      run: (signal) => sweepSignIns(db, currentTime(), signal),
    },
    {
      name: 'sweep files',
      everyMs: 3_600_000,
      // By a clock that has jumped, files that are just being added look old.
      run: async () => {
        if (isClockSteady(orphanAfterMs)) await sweepFiles(db, copying.store, currentTime())
      },
    },
    { name: 'make partitions', everyMs: 86_400_000, run: () => createUpcomingPartitions(db, currentTime()) },
    {
      name: 'keep the days of the request log',
      everyMs: 3_600_000,
      run: async () => {
        await createDayPartitions(db, currentTime())
        await dropOldDays(db, currentTime())
      },
    },
    {
      name: 'find alerts',
      everyMs: 900_000,
      run: (signal) => findAllAlerts(db, log, currentTime(), signal),
    },
    {
      name: 'forget what forms were answered',
      everyMs: 600_000,
      run: () => sweepSubmissions(db, currentTime()),
    },
    { name: 'end what agents proposed', everyMs: 600_000, run: () => sweepProposals(db, currentTime()) },
    { name: 'forget what calls were answered', everyMs: 600_000, run: () => sweepCalls(db, currentTime()) },
    {
      name: 'erase links that have run out',
      everyMs: 600_000,
      run: () => eraseExpiredLinks(db, { now: currentTime() }),
    },
    {
      name: 'draft invoices',
      everyMs: 900_000,
      run: (signal) => draftInvoices(db, log, currentTime(), signal),
    },
    { name: 'count what was not counted', everyMs: 300_000, run: (signal) => countAgain(db, signal) },
  ]
  jobs.push({
    name: 'count what waits',
    everyMs: 60_000,
    run: async () => metrics.work.backlog(await countBacklog(db)),
  })
  jobs.push(...webhookUpkeep(db, workers), expiryJob(db))
  jobs.push(...privacyJobs({ ...deps, store: copying.store, note: deps.noteErased }))
  if (config.smtpUrl) {
    // Loaded here: a server that sends no mail does without it.
    const { openSmtp } = await import('./platform/smtp.ts')
    const smtp = openSmtp(config.smtpUrl)
    const sender = createMailSender({ db, box, smtp, from: config.mailFrom, log, metrics: metrics.mails })
    jobs.push(
      { name: 'send mails', everyMs: 1_000, run: (signal) => sender.sendDue(signal) },
      { name: 'count waiting mails', everyMs: 15_000, run: () => sender.look() },
    )
  }
  return jobs
}
