import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { currentMs } from './clock.ts'

export interface WorkMetrics {
  jobDone(name: string, result: 'done' | 'failed', seconds: number): void
  /** How an attempt to deliver a webhook ended: `retried` is tried again, `failed` was given up. */
  deliveryDone(result: 'delivered' | 'retried' | 'failed', seconds: number): void
  /** What waits to be done. */
  backlog(found: Backlog): void
}

export interface Backlog {
  queue: readonly { task: string; ready: number; running: number; later: number; dueSince: Date | null }[]
  webhooks: { failing: number; retrying: number; waitingSince: Date | null }
  longJobs: readonly { kind: string; waiting: number; running: number; failing: number; oldest: Date }[]
}

/** Of a process that does not work on it, or no longer. */
export const noBacklog: Backlog = {
  queue: [],
  webhooks: { failing: 0, retrying: 0, waitingSince: null },
  longJobs: [],
}

const secondsSince = (at: Date | null) => (at ? Math.max(0, (currentMs() - at.getTime()) / 1000) : 0)

/** What is done besides calls. The backlog is that of the whole database, told by the process that works on it. */
export function createWorkMetrics(registry: Registry): WorkMetrics {
  const registers = [registry]
  // Not `job`: Prometheus calls by that what it scrapes, and gives ours another name.
  const runs = new Counter({
    name: 'job_runs_total',
    help: 'Runs of what is done every so often',
    labelNames: ['name', 'result'],
    registers,
  })
  const runSeconds = new Gauge({
    name: 'job_last_run_seconds',
    help: 'How long its last run took',
    labelNames: ['name'],
    aggregator: 'max',
    registers,
  })
  const lastDone = new Gauge({
    name: 'job_last_success_timestamp_seconds',
    help: 'When a run last went well',
    labelNames: ['name'],
    aggregator: 'max',
    registers,
  })
  const deliveries = new Counter({
    name: 'webhook_deliveries_total',
    help: 'Attempts to deliver a webhook, by how they ended',
    labelNames: ['result'],
    registers,
  })
  const deliverySeconds = new Histogram({
    name: 'webhook_delivery_seconds',
    help: 'How long endpoints took to answer',
    buckets: [0.01, 0.05, 0.2, 1, 5, 15],
    registers,
  })
  const queueJobs = new Gauge({
    name: 'queue_jobs',
    help: 'Jobs of the queue',
    labelNames: ['task', 'state'],
    aggregator: 'max',
    registers,
  })
  const queueAge = new Gauge({
    name: 'queue_oldest_ready_seconds',
    help: 'How long the first job that is due has waited to be taken up',
    aggregator: 'max',
    registers,
  })
  const failing = new Gauge({
    name: 'webhook_endpoints_failing',
    help: 'Enabled endpoints whose last call failed',
    aggregator: 'max',
    registers,
  })
  const retrying = new Gauge({
    name: 'webhook_deliveries_retrying',
    help: 'Deliveries that failed and are tried again',
    aggregator: 'max',
    registers,
  })
  const webhookAge = new Gauge({
    name: 'webhook_oldest_waiting_seconds',
    help: 'How long the oldest event has waited of which an endpoint in working order was not told',
    aggregator: 'max',
    registers,
  })
  const longJobs = new Gauge({
    name: 'long_jobs',
    help: 'Imports, billing runs and other long work that has not ended',
    labelNames: ['kind', 'state'],
    aggregator: 'max',
    registers,
  })
  const longJobAge = new Gauge({
    name: 'long_jobs_oldest_seconds',
    help: 'How long ago the oldest long work that has not ended was asked for',
    aggregator: 'max',
    registers,
  })
  return {
    jobDone(name, result, seconds) {
      runs.inc({ name, result })
      runSeconds.set({ name }, seconds)
      if (result === 'done') lastDone.set({ name }, currentMs() / 1000)
    },
    deliveryDone(result, seconds) {
      deliveries.inc({ result })
      deliverySeconds.observe(seconds)
    },
    backlog(found) {
      queueJobs.reset()
      for (const { task, ready, running, later } of found.queue) {
        queueJobs.set({ task, state: 'ready' }, ready)
        queueJobs.set({ task, state: 'running' }, running)
        queueJobs.set({ task, state: 'later' }, later)
      }
      queueAge.set(Math.max(0, ...found.queue.map(({ dueSince }) => secondsSince(dueSince))))
      failing.set(found.webhooks.failing)
      retrying.set(found.webhooks.retrying)
      webhookAge.set(secondsSince(found.webhooks.waitingSince))
      longJobs.reset()
      for (const { kind, waiting, running, failing } of found.longJobs) {
        longJobs.set({ kind, state: 'waiting' }, waiting)
        longJobs.set({ kind, state: 'running' }, running)
        longJobs.set({ kind, state: 'failing' }, failing)
      }
      longJobAge.set(Math.max(0, ...found.longJobs.map(({ oldest }) => secondsSince(oldest))))
    },
  }
}
