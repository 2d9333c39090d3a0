import { readdirSync, readFileSync } from 'node:fs'
import os from 'node:os'
import { ask } from '../load.ts'
import { createCpuMeter, memoryOf, procStat } from '../processes.ts'
import { gaugesOf, sumOf } from './prometheus.ts'

/** Who is watched, by process. */
export interface Watched {
  serverPid: number
  serverPort: number
  generatorPid: number
  receiverPid: number
  /** A process of each node of the database that is on this machine. */
  backendPids: readonly number[]
}

/** Milliseconds of processor time; what is not known is null. */
export interface Cpu {
  at: number
  server: number
  database: number | null
  generator: number
  receiver: number
  /** Of all of the machine, whoever used it. */
  host: number | null
}

export function serverPids(serverPid: number): number[] {
  if (process.platform !== 'linux') return [serverPid]
  const children = readdirSync('/proc').filter(
    (name) => /^\d+$/.test(name) && procStat(Number(name))?.parent === serverPid,
  )
  return [serverPid, ...children.map(Number)]
}

export function createMeter({ serverPid, generatorPid, receiverPid, backendPids }: Watched) {
  const server = createCpuMeter(serverPid, backendPids[0] ?? 0)
  const others = backendPids.slice(1).map((pid) => createCpuMeter(serverPid, pid))
  const [generator, receiver] = [createCpuMeter(generatorPid, 0), createCpuMeter(receiverPid, 0)]
  const read = (): Cpu => {
    const first = server.read()
    return {
      at: performance.now(),
      server: first.server,
      database:
        backendPids.length === 0
          ? null
          : others.reduce((sum, meter) => sum + meter.read().database, first.database),
      generator: generator.read().server,
      receiver: receiver.read().server,
      host: hostMs(),
    }
  }
  const since = (before: Cpu): Cpu => {
    const now = read()
    const less = (a: number | null, b: number | null) => (a === null || b === null ? null : a - b)
    return {
      at: now.at - before.at,
      server: now.server - before.server,
      database: less(now.database, before.database),
      generator: now.generator - before.generator,
      receiver: now.receiver - before.receiver,
      host: less(now.host, before.host),
    }
  }
  return { read, since }
}

/** All but idle time, of all cores; with what a machine that is a guest was not given: others had it. */
function hostMs(): number | null {
  if (process.platform !== 'linux') return null
  const fields = readFileSync('/proc/stat', 'utf8').split('\n')[0]!.trim().split(/\s+/).slice(1).map(Number)
  const [user, nice, system, , , irq, softirq, steal = 0] = fields
  return (user! + nice! + system! + irq! + softirq! + steal) * 10
}

/** What of the busiest disk's time was used, from a number that only grows; null where the system does not tell. */
function diskBusyMs(): Map<string, number> | null {
  try {
    const lines = readFileSync('/proc/diskstats', 'utf8').trim().split('\n')
    const fields = lines.map((line) => line.trim().split(/\s+/))
    return new Map(
      fields.filter(([, , name]) => !/^(loop|ram|zram)/.test(name!)).map((f) => [f[2]!, Number(f[12])]),
    )
  } catch {
    return null
  }
}

export interface Seen {
  /** Of each server process, of one core. */
  processes: { pid: number; cores: number }[]
  diskBusy: number | null
  /** The worst of all looks, and the middle one. */
  loopDelayP99Ms: { worst: number; middle: number }
  /** Of statements that needed a connection of their own, how many waited longer than 20 ms for it. */
  connectionWaits: { statements: number; over20Ms: number }
}

const lookEveryMs = 5_000

/** Watches until it is told to stop: what a mean would hide is looked at again and again. */
export async function watch({ serverPid, serverPort }: Watched): Promise<() => Promise<Seen>> {
  const metrics = async () => (await ask(serverPort, '/metrics')).text
  const pids = serverPids(serverPid)
  const tick = 10
  const ticks = () => pids.map((pid) => procStat(pid)?.ticks ?? 0)
  const [cpuBefore, disksBefore, startedAt] = [ticks(), diskBusyMs(), performance.now()]
  const first = await metrics()
  const delays: number[] = []
  const look = (text: string) =>
    delays.push(Math.max(0, ...gaugesOf(text, 'nodejs_eventloop_lag_p99_seconds')) * 1000)
  const timer = setInterval(() => void metrics().then(look, () => {}), lookEveryMs)
  return async () => {
    clearInterval(timer)
    const elapsed = performance.now() - startedAt
    const cpu = ticks()
    const disks = diskBusyMs()
    const last = await metrics()
    look(last)
    delays.sort((a, b) => a - b)
    const grew = (name: string, labels = '') => sumOf(last, name, labels) - sumOf(first, name, labels)
    const statements = grew('database_connection_wait_seconds_count', 'for="calls"')
    const quick = grew('database_connection_wait_seconds_bucket', 'le="0.02",for="calls"')
    return {
      processes: pids.map((pid, i) => ({ pid, cores: ((cpu[i]! - cpuBefore[i]!) * tick) / elapsed })),
      diskBusy:
        disks && disksBefore
          ? Math.max(0, ...[...disks].map(([name, ms]) => (ms - (disksBefore.get(name) ?? ms)) / elapsed))
          : null,
      loopDelayP99Ms: { worst: delays.at(-1)!, middle: delays[delays.length >> 1]! },
      connectionWaits: { statements, over20Ms: Math.max(0, statements - quick) },
    }
  }
}

export interface ProcessMemory {
  process: string
  nowMb: number
  ownMb: number | null
  peakMb: number | null
}

export function memories(watched: Watched): ProcessMemory[] {
  const named = (process: string, pid: number): ProcessMemory => {
    const { now, own, peak } = memoryOf(pid)
    return { process, nowMb: now, ownMb: own, peakMb: peak }
  }
  const [primary, ...workers] = serverPids(watched.serverPid)
  return [
    named(workers.length > 0 ? 'server, primary' : 'server', primary!),
    ...workers.map((pid, i) => named(`server, worker ${i + 1}`, pid)),
    named('load generator', watched.generatorPid),
    named('webhook receiver', watched.receiverPid),
    ...watched.backendPids.map((pid, i) => databaseMemory(`database${i > 0 ? `, node ${i + 1}` : ''}`, pid)),
  ]
}

/** Of all its processes together, without what they share. */
function databaseMemory(process: string, backendPid: number): ProcessMemory {
  const postmaster = procStat(backendPid)?.parent
  const pids = readdirSync('/proc').filter(
    (name) => /^\d+$/.test(name) && postmaster !== undefined && procStat(Number(name))?.parent === postmaster,
  )
  let own = 0
  for (const pid of pids) {
    try {
      own += memoryOf(Number(pid)).own ?? 0
    } catch {
      // It has ended since.
    }
  }
  return { process: `${process}, ${pids.length} processes`, nowMb: own, ownMb: own, peakMb: null }
}

export const cores = () => os.availableParallelism()
