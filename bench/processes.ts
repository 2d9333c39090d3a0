import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask } from './load.ts'

const root = join(import.meta.dirname, '..')
const startLimitMs = 120_000
const stopLimitMs = 10_000

export interface Running {
  pid: number
  port: number
  stop(): Promise<void>
}

/** Whoever ends while a program is still getting ready leaves nobody behind. */
const started = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of started) child.kill('SIGTERM')
})

/**
 * A program of this checkout in a process of its own, its output in a file, once it is ready. It takes
 * a free port and prints its address: a port chosen here could be another's by the time it is used.
 */
export async function startProgram(
  args: string[],
  env: Record<string, string>,
  logFile: string,
): Promise<Running> {
  const log = openSync(logFile, 'w')
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: '0', ...env },
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  started.add(child)
  child.once('exit', () => started.delete(child))
  const until = Date.now() + startLimitMs
  while (Date.now() < until && child.exitCode === null) {
    const port = Number(printedAddress.exec(readFileSync(logFile, 'utf8'))?.[1] ?? 0)
    const answer = port === 0 ? null : await ask(port, '/readyz').catch(() => null)
    if (answer?.status === 200) return { pid: child.pid!, port, stop: () => stopProgram(child) }
    await sleep(50)
  }
  await stopProgram(child)
  throw new Error(`${args.join(' ')} did not get ready:\n${readFileSync(logFile, 'utf8').slice(-2000)}`)
}

const printedAddress = /http:\/\/127\.0\.0\.1:(\d+)/

async function stopProgram(child: ChildProcess): Promise<void> {
  const over = () => child.exitCode !== null || child.signalCode !== null
  if (over()) return
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill('SIGTERM')
  await Promise.race([ended, sleep(stopLimitMs, undefined, { ref: false })])
  if (over()) return
  child.kill('SIGKILL')
  await ended
}

/** In MB (10^6 bytes); what the system does not tell is null. */
export interface Memory {
  now: number
  /** Without the pages of files, which processes share. */
  own: number | null
  /** At its highest so far. */
  peak: number | null
}

export function memoryOf(pid: number): Memory {
  if (process.platform !== 'linux') {
    const kib = Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }))
    return { now: (kib * 1024) / 1e6, own: null, peak: null }
  }
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  // One that has just ended holds none, and its status does not say so.
  const read = (name: string) =>
    (Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1024) / 1e6
  return { now: read('VmRSS'), own: read('RssAnon'), peak: read('VmHWM') }
}

/** Milliseconds of processor time. */
export interface CpuSplit {
  server: number
  database: number
  generator: number
}

export interface CpuMeter {
  read(): CpuSplit
  since(before: CpuSplit): CpuSplit
}

/** What the server, all of PostgreSQL and this process used; zeros where /proc does not tell. */
export function createCpuMeter(serverPid: number, backendPid: number): CpuMeter {
  const tick = process.platform === 'linux' ? 1000 / Number(execFileSync('getconf', ['CLK_TCK'])) : 0
  const postmaster = tick ? procStat(backendPid)?.parent : undefined
  const read = (): CpuSplit => {
    const { user, system } = process.cpuUsage()
    const generator = (user + system) / 1000
    if (!tick) return { server: 0, database: 0, generator }
    let database = 0
    let server = 0
    for (const name of readdirSync('/proc')) {
      if (!/^\d+$/.test(name)) continue
      const stat = procStat(Number(name))
      if (stat === null) continue
      if (stat.parent === postmaster) database += stat.ticks * tick
      // With those that it has started.
      if (Number(name) === serverPid || stat.parent === serverPid) server += stat.ticks * tick
      // A process that ended counts among the children of its parent.
      if (Number(name) === postmaster) database += (stat.ticks + stat.endedTicks) * tick
    }
    return { server, database, generator }
  }
  return {
    read,
    since(before) {
      const now = read()
      return {
        server: now.server - before.server,
        database: now.database - before.database,
        generator: now.generator - before.generator,
      }
    },
  }
}

export function procStat(pid: number): { parent: number; ticks: number; endedTicks: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may hold spaces: fields are counted from behind it.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const sum = (i: number) => Number(fields[i]) + Number(fields[i + 1])
    return { parent: Number(fields[1]), ticks: sum(11), endedTicks: sum(13) }
  } catch {
    return null
  }
}
