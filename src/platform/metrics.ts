import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export interface Metrics {
  registry: Registry
  requestDone(route: string, method: string, status: number, seconds: number): void
  copiesRunning: Gauge
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
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
  const copiesRunning = new Gauge({
    name: 'file_copies_running',
    help: 'Copies of files from outside addresses under way',
    registers: [registry],
  })
  return {
    registry,
    copiesRunning,
    requestDone(route, method, status, seconds) {
      duration.observe({ route, method }, seconds)
      answers.inc({ route, method, status })
    },
  }
}
