import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { installedBinaries, reachableBinaries } from '../../src/platform/embedded-postgres/binaries.ts'
import { findServiceUser, plainEnvironment, run } from '../../src/platform/embedded-postgres/user.ts'
import { atFileEnd } from './endings.ts'
import { freePort } from './free-port.ts'
import { freezeProcesses } from './freeze.ts'
import { temporaryFolder } from './process.ts'

/** A PostgreSQL with a folder and a port of its own. */
export interface PostgresServer {
  port: number
  /** As the application, which is no superuser. */
  url: string
  start(): Promise<void>
  /** By default as a power cut does it. */
  kill(signal?: NodeJS.Signals): Promise<void>
  /** Stops it where it is; answers how to let it go on. */
  freeze(): () => void
  /** One statement by its owner. */
  ask<Row extends object = Record<string, unknown>>(text: string): Promise<Row[]>
}

const isRoot = process.getuid?.() === 0
const settings = {
  ...{ fsync: 'off', full_page_writes: 'off', max_connections: '150', shared_buffers: '64MB' },
  ...{ listen_addresses: '127.0.0.1', unix_socket_directories: '', timezone: 'UTC' },
  // What is not asked for here would take as long as half of the tests.
  wal_receiver_status_interval: '1s',
  wal_retrieve_retry_interval: '200ms',
}

/** For `{ skip }`: the PostgreSQL of npm has no program for a base backup, and needs none for a copy of an idle folder. */
export const noPair =
  process.platform === 'win32' ? 'the PostgreSQL of npm does not run on Windows' : (false as const)

/** A primary and a hot standby that follows it. */
export async function startPair(): Promise<{ primary: PostgresServer; standby: PostgresServer }> {
  const folder = await temporaryFolder()
  const user = isRoot ? await findServiceUser() : undefined
  if (user) await chown(folder.path, user.uid, user.gid)
  const binaries = await reachableBinaries(installedBinaries(), folder.path, user, () => {})
  const [first, second] = [join(folder.path, 'primary'), join(folder.path, 'standby')]
  const initdb = ['--username=owner', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync']
  await done(run(join(binaries, 'bin/initdb'), [`--pgdata=${first}`, ...initdb], user))
  // Before its first start it is whole, and a copy of it is the same system.
  await done(run('cp', ['-a', first, second], user))
  const [port, standbyPort] = [await freePort(), await freePort()]
  const follow = `primary_conninfo = 'host=127.0.0.1 port=${port} user=owner application_name=standby'\n`
  await writeFile(join(second, 'standby.signal'), '')
  await writeFile(join(second, 'postgresql.auto.conf'), follow)
  const identity = user && { uid: user.uid, gid: user.gid }
  const server = (dir: string, at: number) =>
    postgresServer(join(binaries, 'bin/postgres'), dir, at, identity)
  const [primary, standby] = [server(first, port), server(second, standbyPort)]
  atFileEnd(async () => {
    await Promise.all([primary.kill(), standby.kill()])
    await rm(folder.path, { recursive: true, force: true, maxRetries: 5 })
  })
  await primary.start()
  await primary.ask('create role app login')
  await primary.ask('create database sunstead owner app')
  await standby.start()
  return { primary, standby }
}

export function postgresServer(
  program: string,
  dir: string,
  port: number,
  as: { uid: number; gid: number } | undefined,
  more: Readonly<Record<string, string>> = {},
): PostgresServer {
  let child: ChildProcess | null = null
  let said = ''
  const ask: PostgresServer['ask'] = async (text) => {
    const database = /^create (role|database)/.test(text) ? 'postgres' : 'sunstead'
    const client = new pg.Client({
      connectionString: `postgres://owner@127.0.0.1:${port}/${database}`,
      connectionTimeoutMillis: 5_000,
    })
    client.on('error', () => {})
    await client.connect()
    return client
      .query(text)
      .then(({ rows }) => rows)
      .finally(() => client.end())
  }
  return {
    port,
    url: `postgres://app@127.0.0.1:${port}/sunstead`,
    ask,
    async start() {
      const args = Object.entries({ ...settings, ...more, port }).flatMap(([name, value]) => [
        '-c',
        `${name}=${value}`,
      ])
      child = spawn(program, ['-D', dir, ...args], {
        cwd: '/',
        env: plainEnvironment(),
        stdio: ['ignore', 'ignore', 'pipe'],
        ...as,
      })
      said = ''
      child.stderr!.on('data', (chunk) => {
        said += chunk
      })
      for (const until = Date.now() + 30_000; ; await sleep(20)) {
        if (child.exitCode !== null || Date.now() > until)
          throw new Error(`PostgreSQL does not start: ${said}`)
        if (await isReady(port)) return
      }
    },
    async kill(signal = 'SIGQUIT') {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      // One that is frozen hears nothing else.
      child.kill('SIGCONT')
      child.kill(signal)
      await ended
    },
    freeze: () => freezeProcesses(child!.pid!),
  }
}

async function isReady(port: number): Promise<boolean> {
  const client = new pg.Client({ connectionString: `postgres://owner@127.0.0.1:${port}/postgres` })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

async function done(work: Promise<{ ok: boolean; output: string }>): Promise<void> {
  const { ok, output } = await work
  if (!ok) throw new Error(output)
}
