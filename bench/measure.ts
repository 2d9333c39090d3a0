import { type Load, runLoad, type Workload } from './load.ts'
import type { CpuMeter, CpuSplit } from './processes.ts'

/** How often and how long each side is measured, and over how many connections. */
export interface Rounds {
  rounds: number
  roundMs: number
  warmUpMs: number
  /** Before each turn, so that what the other side left behind is not counted; 0 unless told. */
  leadInMs?: number
  connections: number
}

export interface Side {
  workload: Workload
  cpu: CpuMeter
  /** Where it differs from the other side's. */
  connections?: number
}

export interface Measured {
  /** Requests a second: the median of the rounds. */
  rate: number
  rates: number[]
  p50Ms: number
  p99Ms: number
  /** Milliseconds of processor time a request. */
  cpu: CpuSplit
}

/** Both sides by turns, so that whatever else the machine does meets both. */
export async function measure(
  ours: Side,
  floor: Side,
  options: Rounds,
): Promise<{ ours: Measured; floor: Measured }> {
  const { rounds, roundMs, warmUpMs, leadInMs = 0 } = options
  const run = ({ workload, connections = options.connections }: Side, ms: number) =>
    runLoad(workload, { connections, ms })
  await run(ours, warmUpMs)
  await run(floor, warmUpMs)
  const done = { ours: [] as Round[], floor: [] as Round[] }
  for (let round = 0; round < rounds; round++) {
    const turns = round % 2 === 0 ? (['ours', 'floor'] as const) : (['floor', 'ours'] as const)
    for (const turn of turns) {
      const side = turn === 'ours' ? ours : floor
      if (leadInMs > 0) await run(side, leadInMs)
      const before = side.cpu.read()
      const load = await run(side, roundMs)
      done[turn].push({ load, cpu: side.cpu.since(before) })
    }
  }
  return { ours: summed(done.ours), floor: summed(done.floor) }
}

interface Round {
  load: Load
  cpu: CpuSplit
}

function summed(rounds: Round[]): Measured {
  const rates = rounds.map(({ load }) => load.requests / load.seconds)
  const latencies = rounds.flatMap(({ load }) => load.latenciesMs).sort((a, b) => a - b)
  const requests = latencies.length
  const at = (share: number) => latencies[Math.min(requests - 1, Math.floor(requests * share))] ?? Number.NaN
  const total = (part: keyof CpuSplit) => rounds.reduce((sum, { cpu }) => sum + cpu[part], 0) / requests
  return {
    rate: median(rates),
    rates,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    cpu: { server: total('server'), database: total('database'), generator: total('generator') },
  }
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
