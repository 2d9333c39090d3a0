import { Counter, Gauge, type Registry } from 'prom-client'
import type { ReadReason } from './replica.ts'

export interface ReplicaMetrics {
  inUse(whether: boolean): void
  lag(seconds: number): void
  read(from: 'replica' | 'primary', reason: ReadReason): void
}

/** Without a replica they have no values: none is neither away nor behind. */
export function createReplicaMetrics(registry: Registry): ReplicaMetrics {
  const registers = [registry]
  const inUse = new Gauge({
    name: 'replica_in_use',
    help: 'Whether lists are read from the replica (1), or all from the primary (0)',
    aggregator: 'min',
    registers,
  })
  const lag = new Gauge({
    name: 'replica_lag_seconds',
    help: 'How far the replica is behind the primary; 0 where all is there',
    aggregator: 'max',
    registers,
  })
  for (const gauge of [inUse, lag]) gauge.remove()
  const reads = new Counter({
    name: 'replica_reads_total',
    help: 'Lists and reports that may be read from the replica, by where they were and why',
    labelNames: ['from', 'reason'],
    registers,
  })
  return {
    inUse: (whether) => inUse.set(whether ? 1 : 0),
    lag: (seconds) => lag.set(seconds),
    read: (from, reason) => reads.inc({ from, reason }),
  }
}
