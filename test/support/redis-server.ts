import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { atFileEnd } from './endings.ts'
import { freePort } from './free-port.ts'

/** The program where there is one: tests that need it are skipped elsewhere. */
export const redisProgram = ['valkey-server', 'redis-server'].find((name) => {
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})

export const withoutRedis = redisProgram ? false : 'there is no redis-server or valkey-server on the PATH'

export interface TestRedis {
  port: number
  /** With a password, in a database of its own. */
  url: string
  keys(): Promise<string[]>
  /** Asks it something. */
  ask(command: string, ...args: string[]): Promise<unknown>
  kill(): Promise<void>
  /** Starts it again, empty, where it was. */
  start(): Promise<void>
  freeze(): void
  thaw(): void
}

/** A real Redis or Valkey that keeps nothing on disk. */
export async function startRedis(): Promise<TestRedis> {
  const password = 'open sesame & more'
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'sunstead-redis-'))
  let running: ChildProcess | null = null

  async function start(): Promise<void> {
    const args = `--port ${port} --bind 127.0.0.1 --appendonly no --loglevel warning --dir ${folder}`.split(
      ' ',
    )
    running = spawn(redisProgram!, [...args, '--save', '', '--requirepass', password], { stdio: 'ignore' })
    while (!(await answers())) await wait(20)
  }
  const connect = () => new Redis({ port, password, db: 3, lazyConnect: true, retryStrategy: null })
  async function answers(): Promise<boolean> {
    const client = connect().on('error', () => {})
    try {
      await client.connect()
      return true
    } catch {
      return false
    } finally {
      client.disconnect()
    }
  }
  async function ask(command: string, ...args: string[]): Promise<unknown> {
    const client = connect()
    await client.connect()
    return client.call(command, ...args).finally(() => client.disconnect())
  }
  async function kill(): Promise<void> {
    const ended = running
    running = null
    if (!ended || ended.exitCode !== null || ended.signalCode !== null) return
    ended.kill('SIGKILL')
    await once(ended, 'exit')
  }
  await start()
  atFileEnd(async () => {
    await kill()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    port,
    url: `redis://:${encodeURIComponent(password)}@127.0.0.1:${port}/3`,
    keys: async () => (await ask('keys', '*')) as string[],
    ask,
    kill,
    start,
    freeze: () => void running!.kill('SIGSTOP'),
    thaw: () => void running!.kill('SIGCONT'),
  }
}
