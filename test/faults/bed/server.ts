import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { atFileEnd } from '../../support/endings.ts'
import { childrenOf } from '../../support/freeze.ts'
import { startProcess } from '../../support/process.ts'

/** A server that is started again whenever it ends, as by systemd. */
export interface KeptServer {
  port: number
  env: Record<string, string>
  /** Of the process that was started; null for the moment between two. */
  pid(): number | null
  /** Its processes, where it runs several. */
  workers(): number[]
  /** Sends it, or one of its workers, a signal: an end by it is not held against it. */
  kill(signal: NodeJS.Signals, pid?: number): void
  /** It is not started again before this has settled. */
  stayDown(until: Promise<unknown>): void
  /** Settles once one serves. */
  serves(): Promise<void>
  /** What it has said since the last time this was asked. */
  takeLog(): string[]
  /** How often it ended without being killed, since the last time this was asked, and its last words. */
  takeEnds(): string[]
  stop(): Promise<void>
}

/** On a busy machine too. */
const startMs = 60_000

export async function keepServer(env: Record<string, string>): Promise<KeptServer> {
  let pid: number | null = null
  let stopping = false
  let killed = false
  const log: string[] = []
  const ends: string[] = []
  let ready = Promise.withResolvers<void>()
  let serving = false
  let down: Promise<unknown> = Promise.resolve()
  let read = ''

  async function keep(): Promise<void> {
    while (!stopping) {
      let output = () => ''
      killed = false
      try {
        const server = await startProcess(env, undefined, undefined, (child) => {
          pid = child.pid!
          const listen = (chunk: Buffer) => {
            read += chunk
            const lines = read.split('\n')
            read = lines.pop()!
            log.push(...lines.filter((line) => line !== ''))
          }
          child.stdout!.on('data', listen)
          child.stderr!.on('data', listen)
        })
        output = server.output
        ready.resolve()
        serving = true
        if (server.child.exitCode === null && server.child.signalCode === null)
          await once(server.child, 'exit')
        if (!stopping && !killed) ends.push(`ended with ${server.child.exitCode}: ${lastWords(output())}`)
      } catch (error) {
        if (!stopping && !killed) ends.push(lastWords((error as Error).message))
        pid = null
        await sleep(100)
      }
      pid = null
      if (serving) ready = Promise.withResolvers()
      serving = false
      await down
    }
  }
  const kept = keep()
  const late = setTimeout(() => ready.reject(new Error(`the server does not start: ${ends.at(-1)}`)), startMs)
  await ready.promise
  clearTimeout(late)

  const stop = async () => {
    stopping = true
    if (pid === null) return
    process.kill(pid, 'SIGTERM')
    const late = setTimeout(() => pid && process.kill(pid, 'SIGKILL'), 20_000)
    await kept
    clearTimeout(late)
  }
  atFileEnd(stop)
  return {
    port: Number(env['PORT']),
    env,
    pid: () => pid,
    workers: () => (pid === null ? [] : childrenOf(pid).filter(isNode)),
    kill(signal, of = pid ?? undefined) {
      if (of === undefined) return
      killed ||= of === pid
      process.kill(of, signal)
    },
    stayDown(until) {
      down = until
    },
    serves: () => ready.promise,
    takeLog: () => log.splice(0),
    takeEnds: () => ends.splice(0),
    stop,
  }
}

const lastWords = (output: string) => output.trim().split('\n').slice(-3).join(' | ').slice(-600)

// The embedded PostgreSQL is a child of it too.
const isNode = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('sunstead')
