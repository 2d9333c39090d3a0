import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { serverFlags, serverMemory } from '../bin/as-server.js'
import { buildConsole } from '../scripts/build-console.js'
import { openDatabase } from '../src/platform/db.ts'
import { type BoardRowName, measureBoards } from './board-rows.ts'
import { type ClusterRowName, measureCluster } from './cluster-rows.ts'
import { type BenchDatabase, openBenchDatabase, secretKey } from './database.ts'
import { tenMillion } from './energy-rows.ts'
import { buildFeedRow, eventsFeed } from './feed-row.ts'
import { hostileBodies, measureHostile } from './hostile-row.ts'
import { importLeads, measureImport } from './import-rows.ts'
import { limiterShared, measureSharedLimiter } from './limiter-row.ts'
import { ask } from './load.ts'
import { type Measured, measure, type Rounds } from './measure.ts'
import { measureWebhooks, type Receiver } from './measure-webhooks.ts'
import { watchMemory } from './memory.ts'
import { type Options, readOptions } from './options.ts'
import { createCpuMeter, type Running, startProgram } from './processes.ts'
import { printProfile, profileArguments } from './profile.ts'
import { machineOf, printTable, type Result, rateResult, writeResults } from './report.ts'
import { buildRequestLogRow } from './request-log-row.ts'
import type { Row } from './row.ts'
import {
  buildRow,
  isBoardRow,
  isClusterRow,
  isSearchRow,
  isWebhookRow,
  needsDeals,
  needsEnergy,
  type RowName,
  requestLog,
  type Seeds,
} from './rows.ts'
import { rowsWritten } from './rows-written.ts'
import { measureSearch, type SearchRowName } from './search-rows.ts'
import { seedBoards } from './seed/boards.ts'
import { seedEnergy } from './seed/energy.ts'
import { measureTenMillion } from './ten-million.ts'

const startedAt = performance.now()
const note = (message: string) =>
  console.log(`${((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)} s  ${message}`)

/** What must be undone at the end, the last first. */
const undo: (() => Promise<void>)[] = []

async function finish(): Promise<void> {
  for (let step = undo.pop(); step; step = undo.pop()) {
    await step().catch((error: Error) => console.error(error.message))
  }
}

const loggingProcesses = 3

const serverEnvironment = (url: string, filesDir: string, trustedHosts: string) => ({
  DATABASE_URL: url,
  DATA_DIR: filesDir,
  RATE_LIMIT_PER_MINUTE: '0',
  DEMO: '0',
  SECRET_KEY: secretKey,
  OUTBOUND_TRUSTED_HOSTS: trustedHosts,
})

async function startServers(database: BenchDatabase, options: Options, trustedHosts: string) {
  const { dataDir, url } = database
  const filesDir = await mkdtemp(join(tmpdir(), 'sunstead-bench-'))
  undo.push(() => rm(filesDir, { recursive: true, force: true }))
  const profiles = join(dataDir, 'profile')
  const ours = await startProgram(
    [...(options.profile ? profileArguments(profiles) : []), 'scripts/run.js', 'bin/sunstead.js', 'serve'],
    serverEnvironment(url, filesDir, trustedHosts),
    join(dataDir, 'server.log'),
  )
  undo.push(async () => {
    await ours.stop()
    if (options.profile) printProfile(profiles)
  })
  const floor = await startProgram(
    ['bench/floor/serve.ts'],
    { DATABASE_URL: url },
    join(dataDir, 'floor.log'),
  )
  undo.push(() => floor.stop())
  return { ours, floor }
}

async function measureRow(
  row: Row,
  servers: { ours: Running; floor: Running },
  client: pg.Client,
  backendPid: number,
  options: Rounds,
): Promise<Result> {
  if (row.name === 'create-lead' || row.name === 'move-stage') {
    console.log(`          rows a request, ours:  ${await rowsWritten(client, row.ours)}`)
    console.log(`          rows a request, floor: ${await rowsWritten(client, row.floor)}`)
  }
  const meter = (running: Running) => createCpuMeter(running.pid, backendPid)
  const { ours, floor } = await measure(
    { workload: row.ours, cpu: meter(servers.ours) },
    { workload: row.floor, cpu: meter(row.floorIsOurs ? servers.ours : servers.floor) },
    options,
  )
  console.log(`          ours:  ${described(ours)}`)
  console.log(`          floor: ${described(floor)}`)
  return rateResult(row.name, row.against, row.atLeast, ours, floor)
}

async function startReceiver({ dataDir }: BenchDatabase): Promise<Receiver> {
  const running = await startProgram(['bench/webhook-receiver.ts'], {}, join(dataDir, 'receiver.log'))
  undo.push(() => running.stop())
  const ports: number[] = JSON.parse((await ask(running.port, '/ports')).text)
  return { ...running, ports, hosts: ports.map((port) => `127.0.0.1:${port}`).join() }
}

async function measureWebhookRow(
  { dataDir, url }: BenchDatabase,
  ours: Running,
  receiver: Receiver,
  backendPid: number,
  { rounds }: Options,
): Promise<Result[]> {
  const floor = await startProgram(
    ['bench/floor/webhooks.ts'],
    { DATABASE_URL: url },
    join(dataDir, 'floor-webhooks.log'),
  )
  const db = openDatabase(url, () => {})
  try {
    return await measureWebhooks({ db, ours, floor, receiver, backendPid, rounds })
  } finally {
    await db.close()
    await floor.stop()
  }
}

/** The middle of several processes: they differ by as much as the log costs. */
async function measureRequestLog(
  { dataDir, url }: BenchDatabase,
  client: pg.Client,
  backendPid: number,
  seeds: Seeds,
  options: Options,
): Promise<Result> {
  const logFile = join(dataDir, 'logging.log')
  const results: Result[] = []
  // What is to be told apart is small: both sides must be warm, and take more turns. Calls are written a second later, so
  // each turn begins with more than that.
  const more = { ...options, warmUpMs: 4_000, rounds: 2 * options.rounds, leadInMs: 1_500 }
  for (let i = 0; i < loggingProcesses; i++) {
    const server = await startProgram(
      [...serverFlags, 'scripts/run.js', 'bench/serve-logging.ts'],
      { ...serverEnvironment(url, join(dataDir, 'logging'), ''), ...serverMemory },
      logFile,
    )
    try {
      const { ports } = JSON.parse(/^\{"ports".*$/m.exec(await readFile(logFile, 'utf8'))![0])
      const row = await buildRequestLogRow(client, seeds, ports)
      results.push(await measureRow(row, { ours: server, floor: server }, client, backendPid, more))
    } finally {
      await server.stop()
    }
  }
  return results.sort((a, b) => a.ratio - b.ratio)[Math.floor(loggingProcesses / 2)]!
}

async function measureClusterRow(
  name: ClusterRowName,
  read: Row,
  { dataDir, url, deals }: BenchDatabase,
  single: Running,
  backendPid: number,
  options: Options,
): Promise<Result> {
  const cluster = await startProgram(
    ['scripts/run.js', 'bin/sunstead.js', 'serve'],
    { ...serverEnvironment(url, join(dataDir, 'cluster'), ''), WEB_CONCURRENCY: '2' },
    join(dataDir, 'cluster.log'),
  )
  try {
    const sides = { cluster, single, backendPid }
    return await measureCluster(name, read, deals!.installers[0]!, sides, options, ({ ours, floor }) => {
      console.log(`          two processes: ${described(ours)}`)
      console.log(`          one process:   ${described(floor)}`)
    })
  } finally {
    await cluster.stop()
  }
}

function described({ rates, cpu }: Measured): string {
  const cores = (ms: number) => `${(ms * 1000).toFixed(0)}`
  const split = `server ${cores(cpu.server)}, database ${cores(cpu.database)}, generator ${cores(cpu.generator)}`
  return `${rates.map((rate) => rate.toFixed(0)).join(' ')} /s; processor µs a request: ${split}`
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2))
  const boardRows = options.rows.filter(isBoardRow)
  const database = await openBenchDatabase(note, options.rows.some(needsDeals))
  undo.push(() => database.close())
  if (boardRows.length > 0) buildConsole()
  const boards = boardRows.length > 0 ? await seedBoards(database.url, note) : []
  const energy = options.rows.some(needsEnergy) ? await seedEnergy(database.url, note) : null
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  undo.push(() => client.end())
  const { rows: versions } = await client.query(
    `select current_setting('server_version') as version, pg_backend_pid() as pid`,
  )
  const machine = machineOf(versions[0].version)
  const receiver = options.rows.some(isWebhookRow) ? await startReceiver(database) : null
  const servers = await startServers(database, options, receiver?.hosts ?? '')
  const ports = { ours: servers.ours.port, floor: servers.floor.port }
  const memory = watchMemory(servers.ours.pid)
  const measureOne = async (name: Exclude<RowName, BoardRowName | SearchRowName>): Promise<Result[]> => {
    if (isWebhookRow(name))
      return measureWebhookRow(database, servers.ours, receiver!, versions[0].pid, options)
    if (name === hostileBodies) return [await measureHostile(database.url, servers.ours.port, options)]
    if (name === limiterShared) return [await measureSharedLimiter()]
    if (name === importLeads) return measureImport(database.url)
    if (name === tenMillion) return [await measureTenMillion(energy!, servers.ours, options.connections)]
    if (name === eventsFeed) {
      const row = await buildFeedRow(database.url, ports)
      return [await measureRow(row, servers, client, versions[0].pid, options)]
    }
    const seeds = { deals: database.deals, energy }
    if (name === requestLog)
      return [await measureRequestLog(database, client, versions[0].pid, seeds, options)]
    if (isClusterRow(name)) {
      const read = await buildRow('read-project', client, seeds, ports)
      return [await measureClusterRow(name, read, database, servers.ours, versions[0].pid, options)]
    }
    const row = await buildRow(name, client, seeds, ports)
    return [await measureRow(row, servers, client, versions[0].pid, options)]
  }
  const results: Result[] = []
  for (const name of options.rows) {
    if (isBoardRow(name) || isSearchRow(name)) continue
    note(name)
    results.push(...(await measureOne(name)))
    memory.lookAfter(name)
  }
  if (boardRows.length > 0) {
    note(boardRows.join(', '))
    const measured = await measureBoards(boardRows, boards, servers.ours.port, options.rounds)
    if (measured) results.push(...measured)
    else note('not measured: there is no Chromium on this machine. Install one, or name it in CHROMIUM')
    memory.lookAfter(boardRows.join(', '))
  }
  const searchRows = options.rows.filter(isSearchRow)
  if (searchRows.length > 0) {
    note(searchRows.join(', '))
    results.push(...(await measureSearch(searchRows, database.url, servers.ours.port, options, note)))
    memory.lookAfter(searchRows.join(', '))
  }
  results.push(memory.result())
  console.log()
  printTable(results)
  console.log(`Written to ${await writeResults(results, machine)}`)
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => void finish().then(() => process.exit(130)))
}
try {
  await main()
} catch (error) {
  console.error(error)
  process.exitCode = 1
} finally {
  await finish()
}
