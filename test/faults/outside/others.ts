import { readFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bed } from '../bed/bed.ts'

/** What others notice while something is slow. */
export interface Noticed {
  slowestMs: number
  /** By how much the memory of one process grew at most, in MB. */
  grownMb: number
}

/** Calls like anybody while something goes on, and watches the memory of the servers. */
export async function watchOthers(bed: Bed, whatGoesOn: () => Promise<void>): Promise<Noticed> {
  const { url, business, servers } = bed
  const pids = servers.flatMap((server) => [server.pid()!, ...server.workers()])
  const before = new Map(pids.map((pid) => [pid, residentMb(pid)]))
  const noticed: Noticed = { slowestMs: 0, grownMb: 0 }
  let going = true
  const headers = { authorization: `Bearer ${business.other.key}` }
  const call = async () => {
    while (going) {
      const begun = performance.now()
      await fetch(`${url}/v1/leads?limit=1`, { headers }).then((answer) => answer.text())
      noticed.slowestMs = Math.max(noticed.slowestMs, performance.now() - begun)
      for (const [pid, mb] of before) noticed.grownMb = Math.max(noticed.grownMb, residentMb(pid) - mb)
      await sleep(50)
    }
  }
  const calling = call()
  try {
    await whatGoesOn()
  } finally {
    going = false
    await calling
  }
  return noticed
}

function residentMb(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

/** Of a machine that has nothing else to do than the play itself, which wants some two cores. */
const patienceMs = 8_000

/** A machine that is busy with others too has other reasons, and gives each its part only. */
export function complaints({ slowestMs, grownMb }: Noticed, maxGrownMb: number): string[] {
  const shared = Math.max(1, loadavg()[0]! / availableParallelism() / 2)
  return [
    ...(slowestMs > patienceMs * shared ? [`another caller waited ${Math.round(slowestMs)} ms`] : []),
    ...(grownMb > maxGrownMb ? [`a process grew by ${Math.round(grownMb)} MB`] : []),
  ]
}
