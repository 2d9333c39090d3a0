import type { Log } from '../log.ts'
import type { ReplicaObserver } from './replica.ts'
import type { ReplicaMetrics } from './replica-metrics.ts'

/** What an operator is told of the replica. */
export function observeReplica(log: Log, metrics: ReplicaMetrics): ReplicaObserver {
  return {
    changed(trouble) {
      metrics.inUse(trouble === null)
      if (trouble === null) log.info('lists are read from the replica')
      else log.warn({ reason: trouble }, 'the replica is away: lists are read from the primary')
    },
    lag: metrics.lag,
    read: metrics.read,
  }
}
