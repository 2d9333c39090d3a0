import cluster, { type Worker } from 'node:cluster'
import { join } from 'node:path'
import type { Log } from '../platform/log.ts'
import { root } from '../platform/root.ts'
import type { ToPrimary, ToWorker } from './messages.ts'

/** The wait before one that died is replaced: it grows while they die young. */
const firstWaitMs = 100
const maxWaitMs = 30_000
const oldMs = 60_000

interface Place {
  number: number
  worker: Worker
  isReady: boolean
  startedAt: number
  deaths: number
}

export interface Workers {
  send(message: ToWorker): number
  /** Settles when the last has ended. */
  stop(): Promise<void>
  hurry(): void
}

export interface WorkersOptions {
  count: number
  env: Record<string, string>
  log: Log
  onMessage(message: ToPrimary, reply: (message: ToWorker) => void): void
}

/** Starts the workers and keeps as many of them; resolves once all serve, and fails with the reason of one that cannot. */
export async function startWorkers({ count, env, log, onMessage }: WorkersOptions): Promise<Workers> {
  cluster.setupPrimary({
    exec: join(root, 'bin/sunstead.js'),
    args: ['serve'],
  })
  const places = new Map<number, Place>()
  const started = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  let isStarted = false
  let isStopping = false

  const sendTo = (worker: Worker, message: ToWorker) => {
    // One that has just died is noticed by its end.
    if (worker.isConnected()) worker.send(message, () => {})
  }

  function fork(number: number, deaths: number): void {
    const worker = cluster.fork({ ...env, SUNSTEAD_WORKER: String(number) })
    const place: Place = { number, worker, isReady: false, startedAt: performance.now(), deaths }
    places.set(number, place)
    let reason: string | null = null
    worker.on('message', (message: ToPrimary) => {
      if (message.type === 'failed') reason = message.reason
      else if (message.type === 'ready') ready(place)
      else onMessage(message, (answer) => sendTo(worker, answer))
    })
    worker.on('error', (error) => log.warn({ worker: number, error: error.message }, 'a worker reports'))
    worker.on('exit', (code, signal) => over(place, reason ?? `it ended with ${signal ?? code}`))
  }

  function ready(place: Place): void {
    place.isReady = true
    log.info({ worker: place.number, pid: place.worker.process.pid }, 'a worker serves')
    if (places.size === count && [...places.values()].every(({ isReady }) => isReady)) {
      isStarted = true
      started.resolve()
    }
  }

  function over({ number, startedAt, deaths }: Place, reason: string): void {
    places.delete(number)
    if (!isStarted) {
      started.reject(new Error(reason))
      isStopping = true
      for (const { worker } of places.values()) worker.kill('SIGKILL')
    }
    if (isStopping) {
      if (places.size === 0) ended.resolve()
      return
    }
    const young = performance.now() - startedAt < oldMs
    const waitMs = young ? Math.min(maxWaitMs, firstWaitMs * 2 ** deaths) : firstWaitMs
    log.error({ worker: number, reason, waitMs }, 'a worker has died and is replaced')
    setTimeout(() => {
      if (!isStopping) fork(number, young ? deaths + 1 : 0)
    }, waitMs)
  }

  for (let number = 1; number <= count; number++) fork(number, 0)
  await started.promise.catch(async (error) => {
    if (places.size > 0) await ended.promise
    throw error
  })
  const send = (message: ToWorker) => {
    for (const { worker } of places.values()) sendTo(worker, message)
    return places.size
  }
  return {
    send,
    async stop() {
      isStopping = true
      if (send({ type: 'stop' }) === 0) return
      await ended.promise
    },
    hurry: () => void send({ type: 'hurry' }),
  }
}
