import { type Measured, measure, type Rounds } from './measure.ts'
import { newLead } from './new-lead.ts'
import { createCpuMeter, type Running } from './processes.ts'
import { cpuResult, type Result, rateResult } from './report.ts'
import { post, type Row } from './row.ts'
import type { SeededTenant } from './seed/seed.ts'

export const clusterRowNames = ['read-project-cluster', 'writes-one-tenant-cluster'] as const
export type ClusterRowName = (typeof clusterRowNames)[number]

const against = 'our own server with one process'
/** Processor time of a call; whatever else the machine does, that stays. */
const atMostCpu = 1.1
const atLeastRate = 0.95
const processes = 2

interface Sides {
  /** Two processes, and one. */
  cluster: Running
  single: Running
  backendPid: number
}

/** The same call to a server of two processes and to one of one. */
export async function measureCluster(
  name: ClusterRowName,
  read: Row,
  { key }: SeededTenant,
  sides: Sides,
  rounds: Rounds,
  note: (measured: { ours: Measured; floor: Measured }) => void,
): Promise<Result> {
  const isRead = name === 'read-project-cluster'
  const request = post('/v1/leads', JSON.stringify(newLead), key)
  const write = { port: 0, next: () => request, status: 201, minBytes: 20, holds: 'lead_' }
  // Two processes have twice as much to warm up.
  const warm = { ...rounds, warmUpMs: 4 * rounds.warmUpMs }
  const workload = isRead ? read.ours : write
  const side = (running: Running, connections: number) => ({
    workload: { ...workload, port: running.port },
    cpu: createCpuMeter(running.pid, sides.backendPid),
    connections,
  })
  // A busy process takes more calls at a turn, and each costs less: a read by a process of two is compared with one by a
  // process as busy, so with as many connections. One tenant's writes are the same calls to both.
  const connections = isRead ? processes * rounds.connections : rounds.connections
  const measured = await measure(
    side(sides.cluster, connections),
    side(sides.single, rounds.connections),
    warm,
  )
  note(measured)
  const { ours, floor } = measured
  return isRead
    ? cpuResult(name, `${against}, each process as busy, by processor time a call`, atMostCpu, ours, floor)
    : rateResult(name, against, atLeastRate, ours, floor)
}
