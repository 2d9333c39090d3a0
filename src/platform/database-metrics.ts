import { Gauge, Histogram, type Registry } from 'prom-client'
import type { PooledDatabase } from './db.ts'

const waitBuckets = [0.001, 0.005, 0.02, 0.1, 0.5, 1, 5]

/** What an operator sees of the connections: of calls and of jobs, which have their own. */
export function createDatabaseMetrics(registry: Registry, databases: Record<string, PooledDatabase>): void {
  const registers = [registry]
  new Gauge({
    name: 'database_connections',
    help: 'Connections to the database',
    labelNames: ['for', 'pool', 'state'],
    registers,
    collect() {
      for (const [name, db] of Object.entries(databases)) {
        for (const { pool, open, idle } of db.usage().connections) {
          this.set({ for: name, pool, state: 'idle' }, idle)
          this.set({ for: name, pool, state: 'busy' }, open - idle)
        }
      }
    },
  })
  new Gauge({
    name: 'database_waiting',
    help: 'What waits for a connection, or on a shared one behind another statement',
    labelNames: ['for', 'pool'],
    registers,
    collect() {
      for (const [name, db] of Object.entries(databases))
        for (const { pool, waiting } of db.usage().connections) this.set({ for: name, pool }, waiting)
    },
  })
  new Gauge({
    name: 'database_statements_under_way',
    help: 'Statements and transactions that were asked for and have not ended',
    labelNames: ['for'],
    registers,
    collect() {
      for (const [name, db] of Object.entries(databases)) this.set({ for: name }, db.usage().underWay)
    },
  })
  const connectionWaits = new Histogram({
    name: 'database_connection_wait_seconds',
    help: 'How long a statement or transaction waited for a connection of its own',
    labelNames: ['for', 'pool'],
    buckets: waitBuckets,
    registers,
  })
  const sharedWaits = new Histogram({
    name: 'database_shared_statement_seconds',
    help: 'How long a statement that shares its connection took to be answered, of one in 32',
    labelNames: ['for', 'kind'],
    buckets: waitBuckets,
    registers,
  })
  for (const [name, db] of Object.entries(databases)) {
    const shared = {
      read: sharedWaits.labels({ for: name, kind: 'read' }),
      write: sharedWaits.labels({ for: name, kind: 'write' }),
    }
    db.observe({
      connection: (pool, seconds) => connectionWaits.observe({ for: name, pool }, seconds),
      shared: (kind, seconds) => shared[kind].observe(seconds),
    })
  }
}
