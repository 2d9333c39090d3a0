import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createHostLimits } from '../src/cluster/shared-limits.ts'
import type { Result } from './report.ts'

export const limiterShared = 'limiter-shared'

const calls = 200_000
/** Of what the same calls take as bare messages, which two processes send and answer as well. */
const atMost = 2

interface Done {
  cpuMs: number
}

/** Milliseconds of processor time a call, of both processes, for calls that are counted or only answered. */
async function cpuOf(kind: 'shared' | 'bare'): Promise<number> {
  const limits = createHostLimits(1_000_000)
  const worker = fork(new URL('./limiter-worker.ts', import.meta.url), [kind, String(calls)])
  const before = process.cpuUsage()
  const { promise, resolve } = Promise.withResolvers<Done>()
  worker.on('message', (message: { asks: string[] } | Done) => {
    if ('cpuMs' in message) resolve(message)
    else worker.send(kind === 'bare' ? message.asks : limits.answerAll(message.asks))
  })
  const { cpuMs } = await promise
  const { user, system } = process.cpuUsage(before)
  limits.close()
  worker.disconnect()
  await once(worker, 'exit')
  return (cpuMs + (user + system) / 1_000) / calls
}

/** What it costs to have a call counted by the primary, beside the bare messages. */
export async function measureSharedLimiter(): Promise<Result> {
  await cpuOf('bare')
  await cpuOf('shared')
  const floor = await cpuOf('bare')
  const ours = await cpuOf('shared')
  const round = (ms: number) => Math.round(ms * 1e5) / 1e5
  return {
    name: limiterShared,
    ours: round(ours),
    floor: round(floor),
    ratio: Math.round((1_000 * ours) / floor) / 1_000,
    p50Ms: null,
    p99Ms: null,
    unit: 'ms',
    against: 'the same calls as bare messages between two processes, by processor time a call',
    target: `<= ${atMost}`,
    pass: ours / floor <= atMost,
  }
}
