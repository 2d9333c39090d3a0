import { appendFile, chown, glob, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { findServiceUser, run } from '../../src/platform/embedded-postgres/user.ts'
import { atFileEnd } from './endings.ts'
import { freePort } from './free-port.ts'
import { type PostgresServer, postgresServer } from './postgres-pair.ts'
import { temporaryFolder } from './process.ts'

const places = ['/usr/lib/postgresql/*/lib/citus.so', '/usr/pgsql-*/lib/citus.so']

/** Where a PostgreSQL with Citus has its programs; null where there is none. */
async function findBinaries(): Promise<string | null> {
  if (process.env.TEST_CITUS_BIN) return process.env.TEST_CITUS_BIN
  for (const place of places)
    for await (const found of glob(place)) return join(dirname(dirname(found)), 'bin')
  return null
}

const binaries = await findBinaries()

/** For `{ skip }`. */
export const noCitus = binaries === null && 'no PostgreSQL with the extension citus is on this machine'

const settings = {
  ...{ shared_preload_libraries: 'citus', max_prepared_transactions: '150' },
  ...{ max_worker_processes: '24', 'citus.shard_count': '6' },
}

export interface Cluster {
  coordinator: PostgresServer
  workers: PostgresServer[]
  url: string
  /** Has a worker that is no node yet become one. */
  add(worker: PostgresServer): Promise<void>
}

/** A coordinator, two workers that are its nodes, and two that are not yet. */
export async function startCluster(): Promise<Cluster> {
  const folder = await temporaryFolder()
  const user = process.getuid?.() === 0 ? await findServiceUser() : undefined
  if (user) await chown(folder.path, user.uid, user.gid)
  const nodes: PostgresServer[] = []
  atFileEnd(async () => {
    await Promise.all(nodes.map((node) => node.kill()))
    await rm(folder.path, { recursive: true, force: true, maxRetries: 5 })
  })
  for (const name of ['coordinator', 'first', 'second', 'third', 'fourth']) {
    const dir = join(folder.path, name)
    const initdb = ['--username=owner', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync']
    const made = await run(join(binaries!, 'initdb'), [`--pgdata=${dir}`, ...initdb], user)
    if (!made.ok) throw new Error(made.output)
    // Where a test can set it otherwise.
    await appendFile(join(dir, 'postgresql.conf'), 'wal_level = logical\n')
    const identity = user && { uid: user.uid, gid: user.gid }
    const node = postgresServer(join(binaries!, 'postgres'), dir, await freePort(), identity, settings)
    nodes.push(node)
    await node.start()
    await node.ask('create database sunstead')
    await node.ask('create extension citus')
    // Newer ones want to be told that a shard may be split by it; older ones do not know the setting.
    await node.ask(`alter system set output_plugin_libraries = pgoutput, citus`).catch(() => {})
    await node.ask('select pg_reload_conf()')
  }
  const [coordinator, ...workers] = nodes as [PostgresServer, ...PostgresServer[]]
  const add = async ({ port }: PostgresServer) => {
    await coordinator.ask(`select citus_add_node('127.0.0.1', ${port})`)
  }
  await coordinator.ask(`select citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`)
  for (const worker of workers.slice(0, 2)) await add(worker)
  return { coordinator, workers, add, url: `postgres://owner@127.0.0.1:${coordinator.port}/sunstead` }
}
