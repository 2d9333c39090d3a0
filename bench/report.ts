import { mkdir, writeFile } from 'node:fs/promises'
import os from 'node:os'
import { join } from 'node:path'
import { type Measured, median } from './measure.ts'

export interface Result {
  name: string
  ours: number
  floor: number
  ratio: number
  p50Ms: number | null
  p99Ms: number | null
  unit: 'requests/s' | 'deliveries/s' | 'ms' | 'MB'
  /** What the floor is. */
  against: string
  target: string
  pass: boolean
}

export function rateResult(
  name: string,
  against: string,
  atLeast: number,
  ours: Measured,
  floor: Measured,
): Result {
  const ratio = ours.rate / floor.rate
  return {
    name,
    ours: round(ours.rate, 0),
    floor: round(floor.rate, 0),
    ratio: round(ratio, 3),
    p50Ms: round(ours.p50Ms, 2),
    p99Ms: round(ours.p99Ms, 2),
    unit: 'requests/s',
    against,
    target: `>= ${round(atLeast, 2)}`,
    pass: ratio >= atLeast,
  }
}

/** Milliseconds of processor time that the server takes for a request, in all its processes. */
export function cpuResult(
  name: string,
  against: string,
  atMost: number,
  ours: Measured,
  floor: Measured,
): Result {
  const ratio = ours.cpu.server / floor.cpu.server
  return {
    name,
    ours: round(ours.cpu.server, 4),
    floor: round(floor.cpu.server, 4),
    ratio: round(ratio, 3),
    p50Ms: round(ours.p50Ms, 2),
    p99Ms: round(ours.p99Ms, 2),
    unit: 'ms',
    against,
    target: `<= ${atMost}`,
    pass: ratio <= atMost,
  }
}

export function fanoutResult(
  name: string,
  against: string,
  atLeast: number,
  rates: { ours: number[]; floor: number[] },
): Result {
  const [ours, floor] = [median(rates.ours), median(rates.floor)]
  return {
    name,
    ours: round(ours, 0),
    floor: round(floor, 0),
    ratio: round(ours / floor, 3),
    p50Ms: null,
    p99Ms: null,
    unit: 'deliveries/s',
    against,
    target: `>= ${atLeast}`,
    pass: ours / floor >= atLeast,
  }
}

/** How soon something arrives, beside the time that it may take. */
export function promptnessResult(
  name: string,
  against: string,
  limitMs: number,
  p50Ms: number,
  p99Ms: number,
): Result {
  return {
    name,
    ours: p99Ms,
    floor: limitMs,
    ratio: round(p99Ms / limitMs, 3),
    p50Ms,
    p99Ms,
    unit: 'ms',
    against,
    target: '<= 1',
    pass: p99Ms <= limitMs,
  }
}

/** How soon something is answered beside a disturbance, and beside what is to be expected. */
export function besideResult(
  name: string,
  against: string,
  atMost: number,
  times: { ours: readonly number[]; floor: readonly number[] },
): Result {
  const at = (ms: readonly number[], share: number) =>
    ms.toSorted((a, b) => a - b)[Math.min(ms.length - 1, Math.floor(ms.length * share))]!
  const [ours, floor] = [at(times.ours, 0.99), at(times.floor, 0.99)]
  return {
    name,
    ours: round(ours, 2),
    floor: round(floor, 2),
    ratio: round(ours / floor, 3),
    p50Ms: round(at(times.ours, 0.5), 2),
    p99Ms: round(ours, 2),
    unit: 'ms',
    against,
    target: `<= ${atMost}`,
    pass: ours / floor <= atMost,
  }
}

/** Times in the browser: within a limit, and on the large board at most a fifth longer than on the small one. */
export function browserResult(name: string, ours: number[], floor: number[], limitMs: number): Result {
  const part = (times: number[], share: number) =>
    times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))]!
  const median = part(ours, 0.5)
  const ratio = median / part(floor, 0.5)
  return {
    name,
    ours: round(median, 1),
    floor: round(part(floor, 0.5), 1),
    ratio: round(ratio, 3),
    p50Ms: round(median, 2),
    p99Ms: round(part(ours, 0.99), 2),
    unit: 'ms',
    against: 'the same on a board of 100 projects',
    target: `<= 1.2, ${limitMs} ms`,
    pass: ratio <= 1.2 && median <= limitMs,
  }
}

/** What memory was held, beside a budget or what was held with less to do. */
export function memoryResult(
  name: string,
  heldMb: number,
  floorMb: number,
  against: string,
  atMost: number,
): Result {
  return {
    name,
    ours: round(heldMb, 1),
    floor: round(floorMb, 1),
    ratio: round(heldMb / floorMb, 3),
    p50Ms: null,
    p99Ms: null,
    unit: 'MB',
    against,
    target: `<= ${atMost}`,
    pass: heldMb / floorMb <= atMost,
  }
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}

export function printTable(results: Result[]): void {
  const head = ['row', 'ours', 'floor', 'unit', 'ratio', 'target', 'p50 ms', 'p99 ms', '', 'the floor is']
  const lines = results.map((r) => [
    r.name,
    String(r.ours),
    String(r.floor),
    r.unit,
    r.ratio.toFixed(2),
    r.target,
    r.p50Ms?.toFixed(1) ?? '',
    r.p99Ms?.toFixed(1) ?? '',
    r.pass ? 'pass' : 'below target',
    r.against,
  ])
  const all = [head, ...lines]
  const widths = head.map((_, i) => Math.max(...all.map((line) => line[i]!.length)))
  const numeric = new Set([1, 2, 4, 6, 7])
  for (const line of all) {
    const cells = line.map((cell, i) =>
      numeric.has(i) ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!),
    )
    console.log(cells.join('  ').trimEnd())
  }
  const missed = results.filter((r) => !r.pass).map((r) => r.name)
  console.log(
    missed.length === 0 ? '\nEvery measured row reaches its target.' : `\nBELOW TARGET: ${missed.join(', ')}`,
  )
}

export async function writeResults(results: Result[], machine: Record<string, unknown>): Promise<string> {
  const folder = join(import.meta.dirname, 'results')
  await mkdir(folder, { recursive: true })
  const file = join(folder, 'latest.json')
  await writeFile(file, `${JSON.stringify({ machine, rows: results }, null, 2)}\n`)
  return file
}

export function machineOf(postgres: string): Record<string, unknown> {
  const cpus = os.cpus()
  return {
    cpu: cpus[0]?.model ?? os.arch(),
    cores: cpus.length,
    memoryGb: round(os.totalmem() / 1e9, 1),
    system: `${os.platform()} ${os.release()} ${os.arch()}`,
    node: process.version,
    postgres,
    loadBefore: os.loadavg().map((load) => round(load, 2)),
    at: new Date().toISOString(),
  }
}
