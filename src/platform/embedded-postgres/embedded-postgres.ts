import { dirname, join as joinPath } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { installedBinaries, reachableBinaries } from './binaries.ts'
import { type Cluster, findOrCreateCluster } from './cluster.ts'
import {
  join,
  keepMembership,
  leave,
  type Member,
  type Role,
  serverProcess,
  takeServerLock,
} from './membership.ts'
import { findPostmaster, logFile, logTail, removeSocketDir, type Start, startPostmaster } from './process.ts'
import { updateRecord } from './record.ts'
import { applicationLogin, loginUrl, ownerLogin } from './roles.ts'
import type { Identity } from './user.ts'

export interface EmbeddedPostgres {
  /** As the application, which owns its database and is no superuser. */
  url: string
  /** As the owner of the cluster, for what measures and tests it. */
  ownerUrl: string
  /** Lets go; the last user stops PostgreSQL cleanly. Ends within half a minute, with a sentence where it could not. */
  close(): Promise<void>
  /** Settles, with a sentence, once the database can no longer be used from here. */
  lost: Promise<Error>
}

export interface EmbeddedPostgresOptions {
  dataDir: string
  /** One server per DATA_DIR; tools (the command line) may come beside it or alone. */
  role: Role
  /** More PostgreSQL settings. They count when this call starts PostgreSQL, not when it finds it running. */
  settings?: Record<string, string>
  note?: (message: string) => void
  /** For tests: whom PostgreSQL runs as when we are root. */
  serviceUser?: 'nobody'
  /** For tests: the folder with bin, lib and share. */
  binariesDir?: string
}

/** Crash recovery counts too. */
const reachLimitMs = 60_000

/** PostgreSQL 18 from npm on DATA_DIR: makes, starts or adopts it. */
export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  if (process.platform === 'win32') {
    throw new Error('The embedded PostgreSQL does not run on Windows. Set DATABASE_URL, or use WSL.')
  }
  const { role, settings = {}, note = () => {} } = options
  const binariesFor = (beside: string, user: Identity | undefined) =>
    reachableBinaries(options.binariesDir ?? installedBinaries(), beside, user, note)
  const cluster = await findOrCreateCluster({
    dataDir: options.dataDir,
    serviceUser: options.serviceUser,
    sync: settings['fsync'] !== 'off',
    binariesFor,
    note,
  })
  const start = async () =>
    startPostmaster(cluster, await binariesFor(dirname(cluster.dir), cluster.owner), settings)
  const member = await reachPostgres(cluster, role, start, note)
  if (role === 'server' && !(await takeServerLock(member.client))) {
    const pid = await serverProcess(member.client)
    await leave(cluster, member)
    throw new Error(
      `DATA_DIR ${cluster.dataDir} is in use by another Sunstead server${pid ? ` (process ${pid})` : ''}. ` +
        'Stop that one, or set DATA_DIR to another folder.',
    )
  }
  const { close, lost } = keepMembership(cluster, role, member)
  return {
    url: loginUrl(applicationLogin(cluster), member.socketDir),
    ownerUrl: loginUrl(ownerLogin(cluster), member.socketDir),
    close,
    lost,
  }
}

/** Joins the PostgreSQL that runs on the cluster, whatever state it is in; starts it where none runs. */
async function reachPostgres(
  cluster: Cluster,
  role: Role,
  start: () => Promise<Start>,
  note: (message: string) => void,
): Promise<Member> {
  const until = performance.now() + reachLimitMs
  let noteAt = performance.now() + 2_000
  let started: Start | undefined
  let lastError: unknown
  while (performance.now() < until) {
    const running = await findPostmaster(cluster.dir)
    if (running?.status === 'ready') {
      try {
        const member = await join(cluster, role, running.socketDir)
        if (started === undefined) note(`using the PostgreSQL that already runs (process ${running.pid})`)
        else await settle(cluster, started, running.socketDir)
        return member
      } catch (error) {
        if (!passes(error)) throw explained(error, cluster)
        lastError = error
      }
    } else if (running === undefined && (started === undefined || started.ended)) {
      if (started?.ended) await checkEnd(cluster, started)
      started = await start()
    }
    if (performance.now() > noteAt) {
      note(`waiting for PostgreSQL, which is ${running?.status || 'starting'}`)
      noteAt = Number.POSITIVE_INFINITY
    }
    await sleep(10)
  }
  throw new Error(
    `PostgreSQL on ${cluster.dir} was not ready within ${reachLimitMs / 1000} seconds (${String(lastError)}). It may ` +
      'still be recovering: start Sunstead again in a while. If that does not help, stop the process that ' +
      `${cluster.dir}/postmaster.pid names with kill -INT. ${logFile(cluster)} ends with:\n${await logTail(cluster)}`,
  )
}

/** Of several that start PostgreSQL at once one wins; the others have only a folder to remove. */
async function settle(cluster: Cluster, started: Start, socketDir: string): Promise<void> {
  if (started.socketDir !== socketDir) return removeSocketDir(started.socketDir)
  await updateRecord(cluster.dataDir, { binaries: started.binaries, socketDir })
}

const triedTooEarly = /lock file "postmaster\.pid" (already exists|is empty)|memory block .* still in use/

/** Returns where another start is worth it: another process was first, or has stopped PostgreSQL again. */
async function checkEnd(cluster: Cluster, started: Start): Promise<void> {
  await removeSocketDir(started.socketDir)
  const log = started.ended?.why ?? (await logTail(cluster, started))
  if (started.ended?.code === 0 || triedTooEarly.test(log)) return
  throw new Error(`PostgreSQL did not start on ${cluster.dir}. ${logFile(cluster)} says:\n${log}`)
}

/** Whatever comes of starting up, recovering or shutting down (SQLSTATE 57P…, a broken socket) is worth another try. */
function passes(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return error.code?.startsWith('57P') === true
  return (error as NodeJS.ErrnoException).code !== 'EACCES'
}

function explained(error: unknown, cluster: Cluster): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code !== '28P01') return error
  const record = joinPath(cluster.dataDir, 'postgres.json')
  const advice = `The password in ${record} is not that of ${cluster.dir}. Restore both from the same backup.`
  return new Error(advice, { cause: error })
}
