import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { ClockMetrics } from './clock.ts'
import { createReplicaMetrics, type ReplicaMetrics } from './replica/replica-metrics.ts'
import { createWorkMetrics, type WorkMetrics } from './work-metrics.ts'

export interface Metrics {
  registry: Registry
  leads(whether: boolean): void
  requestDone(route: string, method: string, status: number, seconds: number): void
  requestsNotLogged(count: number): void
  signInFailed(): void
  /** Calls that were answered 503 before anything was done for them. */
  turnedAway(): void
  /** A connection was ended for a reason that its caller gave. */
  connectionEnded(reason: string): void
  mails: MailMetrics
  sharedLimits: SharedLimitMetrics
  clock: ClockMetrics
  replica: ReplicaMetrics
  work: WorkMetrics
  /** What went because its time was over. */
  retained(leads: number, mails: number): void
}

export interface SharedLimitMetrics {
  /** Whether Redis is asked. */
  shared(isShared: boolean): void
  /** A decision was made without it. */
  alone(): void
}

export interface MailMetrics {
  sent(): void
  failed(): void
  retried(): void
  waiting(count: number, oldestSeconds: number): void
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  // Added up, where there are several.
  new Gauge({ name: 'processes', help: 'Processes that these figures are of', registers: [registry] }).set(1)
  const leads = new Gauge({
    name: 'leads',
    help: 'Whether jobs and deliveries run here: 1 in one process of all',
    registers: [registry],
  })
  leads.set(0)
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of answered requests',
    labelNames: ['route', 'method'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30],
    registers: [registry],
  })
  const answers = new Counter({
    name: 'http_requests_total',
    help: 'Answered requests',
    labelNames: ['route', 'method', 'status'],
    registers: [registry],
  })
  const notLogged = new Counter({
    name: 'request_log_dropped_total',
    help: 'Requests that the request log lacks because the database was slow or away',
    registers: [registry],
  })
  const failedSignIns = new Counter({
    name: 'sign_in_failures_total',
    help: 'Wrong passwords, codes, links and passkeys',
    registers: [registry],
  })
  const retained = new Counter({
    name: 'retention_removed_total',
    help: 'What went because the time was over for which a company keeps it',
    labelNames: ['kind'],
    registers: [registry],
  })
  const turnedAway = new Counter({
    name: 'http_requests_turned_away_total',
    help: 'Calls that were answered 503 at once, because there was too much to do',
    registers: [registry],
  })
  const ended = new Counter({
    name: 'http_connections_ended_total',
    help: 'Connections that were ended because their caller was too slow, idle when room was needed, or had too many',
    labelNames: ['reason'],
    registers: [registry],
  })
  // Finding a series by its labels costs more than counting in it. Routes are few, so this stays small.
  const known = new Map<string, { duration: Histogram.Internal<string>; answers: Counter.Internal }>()
  return {
    registry,
    leads: (whether) => leads.set(whether ? 1 : 0),
    requestDone(route, method, status, seconds) {
      const name = `${method} ${route} ${status}`
      let series = known.get(name)
      if (!series) {
        series = {
          duration: duration.labels({ route, method }),
          answers: answers.labels({ route, method, status }),
        }
        known.set(name, series)
      }
      series.duration.observe(seconds)
      series.answers.inc()
    },
    requestsNotLogged: (count) => notLogged.inc(count),
    signInFailed: () => failedSignIns.inc(),
    retained(leads, mails) {
      retained.inc({ kind: 'leads' }, leads)
      retained.inc({ kind: 'mails' }, mails)
    },
    turnedAway: () => turnedAway.inc(),
    connectionEnded: (reason) => ended.inc({ reason }),
    mails: mailMetrics(registry),
    sharedLimits: sharedLimitMetrics(registry),
    clock: clockMetrics(registry),
    replica: createReplicaMetrics(registry),
    work: createWorkMetrics(registry),
  }
}

function mailMetrics(registry: Registry): MailMetrics {
  const registers = [registry]
  const sent = new Counter({ name: 'mails_sent_total', help: 'Mails that the mail server took', registers })
  const failed = new Counter({ name: 'mails_failed_total', help: 'Mails that were given up', registers })
  const retried = new Counter({
    name: 'mails_retried_total',
    help: 'Times that a mail was not sent and is tried again',
    registers,
  })
  const waiting = new Gauge({
    name: 'mails_waiting',
    help: 'Mails that are still to be sent',
    aggregator: 'max',
    registers,
  })
  const oldest = new Gauge({
    name: 'mails_oldest_waiting_seconds',
    help: 'How long the oldest mail that is still to be sent has waited',
    aggregator: 'max',
    registers,
  })
  return {
    sent: () => sent.inc(),
    failed: () => failed.inc(),
    retried: () => retried.inc(),
    waiting(count, oldestSeconds) {
      waiting.set(count)
      oldest.set(oldestSeconds)
    },
  }
}

function sharedLimitMetrics(registry: Registry): SharedLimitMetrics {
  const registers = [registry]
  const shared = new Gauge({
    name: 'limits_shared',
    help: 'Whether limits are shared by Redis (1), or each host limits for itself (0)',
    aggregator: 'min',
    registers,
  })
  const alone = new Counter({
    name: 'limits_decided_alone_total',
    help: 'Calls and tries that were limited by this host alone because Redis was away',
    registers,
  })
  return { shared: (isShared) => shared.set(isShared ? 1 : 0), alone: () => alone.inc() }
}

function clockMetrics(registry: Registry): ClockMetrics {
  const ahead = new Gauge({
    name: 'clock_ahead_seconds',
    help: 'By how much the clock of this host is ahead of the database’s, whose time is used',
    aggregator: 'max',
    registers: [registry],
  })
  return { ahead: (seconds) => ahead.set(seconds) }
}
