import { spawn } from 'node:child_process'
import { chmod, chown, mkdtemp, open, readFile, readlink, rename, rm, stat } from 'node:fs/promises'
import { tmpdir, totalmem } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import { giveToFolderOwner } from './record.ts'
import { canUseFolder, type Identity, plainEnvironment, run } from './user.ts'

export interface Postmaster {
  pid: number
  socketDir: string
  /** starting (or recovering), ready or stopping; PostgreSQL writes it to postmaster.pid. */
  status: string
}

export interface Start {
  socketDir: string
  binaries: string
  /** Set once the process has ended. */
  ended: { code: number | null; why?: string } | undefined
  pid: string
  /** Where postgres.log begins to speak of this start. */
  logStart: number
}

const socketPrefix = 'sunstead-pg-'
const logLimitBytes = 10_000_000
const fastShutdownMs = 7_000
const immediateShutdownMs = 5_000
export const logFile = (cluster: Cluster) => join(cluster.dataDir, 'postgres.log')
const pidFile = (dir: string) => join(dir, 'postmaster.pid')

async function readPidFile(dir: string) {
  const text = await readFile(pidFile(dir), 'utf8').catch(() => '')
  const lines = text.split('\n')
  return {
    text,
    pid: Number(lines[0]) || 0,
    socketDir: lines[4] ?? '',
    status: lines[7]?.trim() ?? '',
  }
}

/** The PostgreSQL that runs on this cluster, whoever started it. */
export async function findPostmaster(dir: string): Promise<Postmaster | undefined> {
  const { pid, socketDir, status } = await readPidFile(dir)
  return pid > 0 && (await isPostmasterOf(dir, pid)) ? { pid, socketDir, status } : undefined
}

/** Process ids are used again, after a reboot or in a new container at once: asks what the process really is. */
async function isPostmasterOf(dir: string, pid: number): Promise<boolean> {
  if (process.platform === 'linux') {
    const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => undefined)
    if (cwd !== dir) return false
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    return basename(command.split('\0')[0] ?? '').startsWith('postgres')
  }
  const { ok, output } = await run('ps', ['-o', 'command=', '-p', String(pid)])
  return ok && output.includes('postgres') && output.includes(dir)
}

/**
 * PostgreSQL itself sees through the file of a dead process, but not when the number now belongs to another one.
 * The file is first moved aside and read again: in between another process may have started PostgreSQL.
 */
async function removeForeignPidFile(dir: string): Promise<void> {
  const seen = await readPidFile(dir)
  if (seen.text === '' || (await findPostmaster(dir)) !== undefined) return
  await removeSocketDir(seen.socketDir)
  if (!isAlive(seen.pid)) return
  const aside = `${pidFile(dir)}.stale-${process.pid}`
  await rename(pidFile(dir), aside).catch(() => {})
  const moved = await readFile(aside, 'utf8').catch(() => undefined)
  if (moved === seen.text) await rm(aside)
  else if (moved !== undefined) await rename(aside, pidFile(dir))
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

export async function removeSocketDir(socketDir: string): Promise<void> {
  if (basename(socketDir).startsWith(socketPrefix)) await rm(socketDir, { recursive: true, force: true })
}

/** A socket's path may have about 100 bytes, and DATA_DIR is often longer: sockets live in a temporary folder. */
async function createSocketDir(owner: Identity | undefined): Promise<string> {
  for (const folder of new Set([tmpdir(), '/tmp', '/var/tmp', '/dev/shm'])) {
    if (folder.length > 60 || !/^[\w./-]+$/.test(folder)) continue
    if (owner && !(await canUseFolder(folder, owner))) continue
    const dir = await mkdtemp(join(folder, socketPrefix)).catch(() => undefined)
    if (dir === undefined) continue
    await chmod(dir, 0o700)
    if (owner) await chown(dir, owner.uid, owner.gid)
    return dir
  }
  throw new Error('PostgreSQL needs a temporary folder for its socket: make /tmp writable, or set TMPDIR.')
}

/** A sixteenth of the memory that there is for us, within bounds: much is kept by the system besides. */
function cacheMegabytes(): number {
  const megabytes = Math.min(totalmem(), process.constrainedMemory() || Infinity) / 1_048_576
  return Math.floor(Math.min(1024, Math.max(128, megabytes / 16)))
}

/** Starts PostgreSQL in a session of its own, so that signals to us and to our terminal do not reach it. */
export async function startPostmaster(
  cluster: Cluster,
  binaries: string,
  settings: Record<string, string>,
): Promise<Start> {
  await removeForeignPidFile(cluster.dir)
  const socketDir = await createSocketDir(cluster.owner)
  const path = logFile(cluster)
  const before = await stat(path).catch(() => undefined)
  if (before && before.size > logLimitBytes) await rename(path, `${path}.old`)
  const log = await open(path, 'a', 0o600)
  await giveToFolderOwner(path, cluster.dataDir)
  const logStart = (await log.stat()).size
  const all: Record<string, string> = {
    max_connections: '60',
    shared_buffers: `${cacheMegabytes()}MB`,
    // As every version before 18: with few cores, handing a page's read to another process takes longer than reading it.
    io_method: 'sync',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_destination: 'stderr',
    logging_collector: 'off',
    // Errors quote what was sent and what is stored. They are told to whoever caused them; here only what befalls the
    // server itself is written down, without details.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_statement: 'none',
    log_min_duration_statement: '-1',
    log_parameter_max_length: '0',
    log_parameter_max_length_on_error: '0',
    ...settings,
    port: '5432',
    listen_addresses: '',
    unix_socket_directories: socketDir,
    unix_socket_permissions: '0700',
  }
  const child = spawn(
    join(binaries, 'bin/postgres'),
    ['-D', cluster.dir, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    {
      cwd: '/',
      detached: true,
      env: plainEnvironment(),
      stdio: ['ignore', log.fd, log.fd],
      ...(cluster.owner && { uid: cluster.owner.uid, gid: cluster.owner.gid }),
    },
  )
  const start: Start = { pid: String(child.pid), socketDir, binaries, ended: undefined, logStart }
  child.on('error', (error) => {
    start.ended = { code: null, why: error.message }
  })
  child.on('exit', (code) => {
    start.ended = { code }
  })
  child.unref()
  await log.close()
  return start
}

/** The last lines of postgres.log; of one start only, though others may write to it at the same time. */
export async function logTail(cluster: Cluster, start?: Start): Promise<string> {
  const bytes = await readFile(logFile(cluster)).catch(() => Buffer.alloc(0))
  const lines = bytes.subarray(start?.logStart).toString('utf8').trim().split('\n')
  const own = start ? lines.filter((line) => (/\[(\d+)\]/.exec(line)?.[1] ?? start.pid) === start.pid) : lines
  return own.slice(-15).join('\n')
}

/** Fast shutdown; after a while the immediate one, from which PostgreSQL recovers at its next start. */
export async function stopPostmaster(dir: string): Promise<void> {
  const running = await findPostmaster(dir)
  if (running === undefined) return
  for (const [signal, patienceMs] of [
    ['SIGINT', fastShutdownMs],
    ['SIGQUIT', immediateShutdownMs],
  ] as const) {
    const until = performance.now() + patienceMs
    if (isAlive(running.pid)) process.kill(running.pid, signal)
    while (performance.now() < until) {
      if (!(await isPostmasterOf(dir, running.pid))) return removeSocketDir(running.socketDir)
      await sleep(10)
    }
  }
  throw new Error(`PostgreSQL (process ${running.pid}) does not stop. See postgres.log in DATA_DIR.`)
}
