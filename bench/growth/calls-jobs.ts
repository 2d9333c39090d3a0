import { readConfig } from '../../src/config.ts'
import { createDeliveryWorkers } from '../../src/domain/delivery/webhooks/delivery-workers.ts'
import { longJobKinds } from '../../src/domain/operations/long-jobs/kinds.ts'
import { createLongJobs } from '../../src/jobs/long-jobs.ts'
import { leaderJobs } from '../../src/recurring-jobs.ts'
import { secretKey } from '../database.ts'
import type { GrowthApp } from './app.ts'
import type { Call } from './call.ts'

const notNow = new AbortController().signal

/** Each job as the leader runs it, with little to do. */
async function jobsOf({ deps }: GrowthApp) {
  const config = readConfig({
    ...{ LOG_LEVEL: 'silent', SECRET_KEY: secretKey, DATA_DIR: 'data/none', SMTP_URL: 'smtp://127.0.0.1:1' },
  })
  const { jobsDb: db, directories, copying, webhooks } = deps
  const workers = createDeliveryWorkers({
    db,
    sending: webhooks.sending,
    waitsSeconds: [60],
    onSent: () => {},
  })
  const longJobs = createLongJobs({ db, directories, store: copying.store }, longJobKinds, deps.log)
  return [...(await leaderJobs(deps, config, workers)), ...longJobs.jobs]
}

/** What goes through all records because that is what it is for: a part of them by one statement. */
const byParts = ['find alerts', 'draft invoices', 'sweep webhooks']

export async function jobCalls(app: GrowthApp): Promise<Call[]> {
  return (await jobsOf(app)).map(({ name }) => ({
    kind: 'job',
    name,
    byParts: byParts.includes(name),
    async run(app) {
      const job = (await jobsOf(app)).find((one) => one.name === name)!
      await job.run(notNow)
    },
  }))
}
