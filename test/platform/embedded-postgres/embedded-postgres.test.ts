import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import {
  type EmbeddedPostgres,
  openEmbeddedPostgres,
} from '../../../src/platform/embedded-postgres/embedded-postgres.ts'
import { atFileEnd } from '../../support/endings.ts'
import { freezePostgres } from '../../support/freeze.ts'

const settings = { fsync: 'off' }
const cleanups: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

async function makeDataDir(...below: string[]): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'sunstead-test-'))
  const dataDir = join(root, ...below, 'data')
  await mkdir(dataDir, { recursive: true })
  // mkdtemp makes a folder of mode 700, which the service user of root could not enter.
  await chmod(root, 0o755)
  cleanups.push(async () => {
    if (isRunning(dataDir)) {
      await rm(readFileSync(postmasterFile(dataDir), 'utf8').split('\n')[4]!, {
        recursive: true,
        force: true,
      })
      process.kill(postmasterPid(dataDir), 'SIGKILL')
    }
    await rm(root, { recursive: true, force: true })
  })
  return dataDir
}

let template: Promise<string> | undefined

/** One in which a server has been before: making a cluster takes longer than what most tests do with it. */
async function makeUsedDataDir(): Promise<string> {
  template ??= makeTemplate()
  const dataDir = await makeDataDir()
  // With the owners: PostgreSQL's files may be another user's.
  execFileSync('cp', ['-a', `${await template}/.`, dataDir])
  return dataDir
}

async function makeTemplate(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sunstead-test-'))
  atFileEnd(() => rm(dataDir, { recursive: true, force: true }))
  await chmod(dataDir, 0o755)
  const opened = await openEmbeddedPostgres({ dataDir, role: 'server', settings })
  await opened.close()
  return dataDir
}

async function open(dataDir: string, role: 'server' | 'tool' = 'server'): Promise<EmbeddedPostgres> {
  const opened = await openEmbeddedPostgres({ dataDir, role, settings })
  cleanups.push(() => opened.close())
  return opened
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  // Its connection may still be closing when PostgreSQL goes down.
  pool.on('error', () => {})
  try {
    return (await pool.query(sql)).rows
  } finally {
    await pool.end()
  }
}

const countRows = async (url: string) => (await query(url, 'select count(*)::int as n from t'))[0]?.['n']
const insertRows = (url: string, many: number) =>
  query(url, `create table if not exists t (n int); insert into t select generate_series(1, ${many})`)

const postmasterFile = (dataDir: string) => join(dataDir, 'postgres/postmaster.pid')
const postmasterPid = (dataDir: string) =>
  Number(readFileSync(postmasterFile(dataDir), 'utf8').split('\n')[0])
const isRunning = (dataDir: string) => existsSync(postmasterFile(dataDir)) && isAlive(postmasterPid(dataDir))

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** A process of its own that opens the database, prints its url and closes when its input ends. */
async function openInChild(
  dataDir: string,
  role: 'server' | 'tool' = 'server',
): Promise<{ child: ChildProcess; url: string }> {
  const module = new URL('../../../src/platform/embedded-postgres/embedded-postgres.ts', import.meta.url)
  const script = `
    import { openEmbeddedPostgres } from '${module}'
    process.on('SIGINT', () => {})
    const opened = await openEmbeddedPostgres(${JSON.stringify({ dataDir, role, settings })})
    console.log(opened.url)
    for await (const _ of process.stdin);
    await opened.close()
  `
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  })
  cleanups.push(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
  })
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  for await (const url of createInterface(child.stdout)) return { child, url }
  throw new Error(`the child ended: ${errors}`)
}

async function kill9(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  assert.equal((await ended)[1], 'SIGKILL')
}

/** What stands in DATA_DIR, but for the copy of the binaries that root makes where the checkout is closed to others. */
async function madeIn(dataDir: string): Promise<string[]> {
  return (await readdir(dataDir)).filter((name) => !name.startsWith('postgres-binaries-')).sort()
}

async function closeChild(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.stdin?.end()
  assert.equal((await ended)[0], 0)
}

test('a restart keeps the rows, and nothing is left running or readable by others', async () => {
  const dataDir = await makeDataDir()
  const first = await open(dataDir)
  await insertRows(first.url, 10)
  const socketDir = decodeURIComponent(new URL(first.url).hostname)
  assert.equal((await stat(socketDir)).mode & 0o777, 0o700)
  await first.close()
  await first.close()
  assert.equal(isRunning(dataDir), false)
  assert.equal(existsSync(socketDir), false)
  assert.equal((await stat(join(dataDir, 'postgres.json'))).mode & 0o777, 0o600)
  assert.equal((await stat(join(dataDir, 'postgres'))).mode & 0o777, 0o700)
  assert.deepEqual(await madeIn(dataDir), ['postgres', 'postgres.json', 'postgres.log'])

  const second = await open(dataDir)
  assert.equal(await countRows(second.url), 10)
  const [facts] = await query(
    second.url,
    `select current_database() as database, pg_get_userbyid(datdba) as owner, datcollate as locale,
       pg_encoding_to_char(encoding) as encoding, current_setting('TimeZone') as zone,
       current_setting('listen_addresses') as addresses, current_setting('password_encryption') as passwords,
       current_setting('io_method') as reading, pg_size_bytes(current_setting('shared_buffers'))::float8 as cache
     from pg_database where datname = current_database()`,
  )
  const { cache: bytes, ...others } = facts!
  const cache = Number(bytes)
  const megabyte = 1_048_576
  assert.ok(cache >= 128 * megabyte && cache <= Math.max(128 * megabyte, totalmem() / 16), `${cache} bytes`)
  assert.ok(cache <= 1024 * megabyte, `${cache} bytes`)
  assert.deepEqual(others, {
    database: 'sunstead',
    owner: 'sunstead_app',
    locale: 'C',
    encoding: 'UTF8',
    zone: 'UTC',
    addresses: '',
    passwords: 'scram-sha-256',
    reading: 'sync',
  })
  const wrong = new URL(second.url)
  wrong.password = 'guessed'
  await assert.rejects(query(wrong.href, 'select 1'), { code: '28P01' })
})

test('after kill -9 of the server the next one adopts the running PostgreSQL', async () => {
  const dataDir = await makeUsedDataDir()
  const { child, url } = await openInChild(dataDir)
  await insertRows(url, 1000)
  const pid = postmasterPid(dataDir)
  await kill9(child)
  assert.equal(isRunning(dataDir), true)
  const next = await open(dataDir)
  assert.equal(postmasterPid(dataDir), pid)
  assert.equal(await countRows(next.url), 1000)
  await next.close()
  assert.equal(isRunning(dataDir), false)
})

test('after kill -9 of the server and of PostgreSQL the committed rows are recovered', async () => {
  const dataDir = await makeUsedDataDir()
  const { child, url } = await openInChild(dataDir)
  await insertRows(url, 1000)
  const oldSocketDir = decodeURIComponent(new URL(url).hostname)
  process.kill(postmasterPid(dataDir), 'SIGKILL')
  await kill9(child)
  const next = await open(dataDir)
  assert.equal(await countRows(next.url), 1000)
  assert.equal(existsSync(oldSocketDir), false)
})

test('a postmaster.pid that names a foreign live process does not hinder the start', async () => {
  const dataDir = await makeUsedDataDir()
  const first = await open(dataDir)
  await insertRows(first.url, 5)
  const lines = (await readFile(postmasterFile(dataDir), 'utf8')).split('\n')
  await first.close()
  for (const foreign of [process.pid, 999_999_999]) {
    await writeFile(postmasterFile(dataDir), [foreign, ...lines.slice(1)].join('\n'), { mode: 0o600 })
    const { uid, gid } = await stat(join(dataDir, 'postgres'))
    await chown(postmasterFile(dataDir), uid, gid)
    const next = await open(dataDir)
    assert.notEqual(postmasterPid(dataDir), foreign)
    assert.equal(await countRows(next.url), 5)
    await next.close()
  }
})

test('two data folders run side by side, one of them with a long path', async () => {
  const [one, other] = await Promise.all([makeDataDir(), makeDataDir('x'.repeat(100), 'y'.repeat(100))])
  const [a, b] = await Promise.all([open(one), open(other)])
  await insertRows(a.url, 1)
  await insertRows(b.url, 2)
  assert.equal(await countRows(a.url), 1)
  await a.close()
  assert.equal(await countRows(b.url), 2)
})

test('a second server on the same folder is refused, and the first goes on', async () => {
  const dataDir = await makeUsedDataDir()
  const first = await open(dataDir)
  await assert.rejects(open(dataDir), (error: Error) => {
    assert.match(error.message, /DATA_DIR .*data is in use by another Sunstead server \(process \d+\)/)
    return true
  })
  await insertRows(first.url, 1)
})

test('the last one out stops PostgreSQL', async () => {
  const dataDir = await makeUsedDataDir()
  const server = await open(dataDir)
  const tool = await open(dataDir, 'tool')
  await tool.close()
  await insertRows(server.url, 3)

  const late = await open(dataDir, 'tool')
  await server.close()
  assert.equal(await countRows(late.url), 3)
  await late.close()
  assert.equal(isRunning(dataDir), false)

  const alone = await open(dataDir, 'tool')
  assert.equal(await countRows(alone.url), 3)
  await alone.close()
  assert.equal(isRunning(dataDir), false)
})

test('openers and closers that race all get the same database', async () => {
  const dataDir = await makeDataDir()
  const tools = await Promise.all([1, 2, 3].map(() => openInChild(dataDir, 'tool')))
  for (const { url } of tools) await insertRows(url, 1)
  assert.equal(await countRows(tools[0]!.url), 3)
  // New ones come in while PostgreSQL goes down.
  const comers = tools.map(async ({ child }) => {
    await Promise.all([closeChild(child), sleep(10)])
    const next = await openInChild(dataDir, 'tool')
    assert.equal(await countRows(next.url), 3)
    await closeChild(next.child)
  })
  await Promise.all(comers)
  assert.equal(isRunning(dataDir), false)
  assert.deepEqual(await madeIn(dataDir), ['postgres', 'postgres.json', 'postgres.log'])
})

test('Ctrl-C reaches the process group of the server and not PostgreSQL', async () => {
  const dataDir = await makeUsedDataDir()
  const { child, url } = await openInChild(dataDir)
  process.kill(-child.pid!, 'SIGINT')
  await sleep(200)
  await insertRows(url, 1)
  assert.equal(await countRows(url), 1)
  await closeChild(child)
  assert.equal(isRunning(dataDir), false)
})

test('the hold on PostgreSQL is taken again after a crash of a backend, and told to be lost with PostgreSQL', async () => {
  const dataDir = await makeUsedDataDir()
  const server = await open(dataDir)
  const victim = new pg.Client({ connectionString: server.url })
  victim.on('error', () => {})
  await victim.connect()
  const { rows } = await victim.query('select pg_backend_pid() as pid, now()::text as now')
  process.kill(rows[0].pid, 'SIGKILL')
  // Those from before it may still be there for a moment.
  const holds = `select count(*)::int as n from pg_locks join pg_stat_activity a using (pid)
    where locktype = 'advisory' and a.backend_start > '${rows[0].now}'`
  await eventually(async () => assert.deepEqual(await query(server.url, holds), [{ n: 2 }]))
  const tool = await open(dataDir, 'tool')
  await tool.close()
  assert.equal(isRunning(dataDir), true)

  process.kill(postmasterPid(dataDir), 'SIGKILL')
  assert.match((await server.lost).message, /stopped unexpectedly; see .*postgres\.log/)
  await server.close()
})

test('whoever lets go of a PostgreSQL that is frozen is told so in time, and the next one finds it again', {
  skip: process.platform !== 'linux' && 'needs /proc',
}, async () => {
  const dataDir = await makeUsedDataDir()
  const server = await open(dataDir)
  await insertRows(server.url, 1)
  const thaw = freezePostgres(dataDir)
  try {
    await assert.rejects(server.close(), /PostgreSQL \(process \d+\) does not answer and was left as it is/)
  } finally {
    thaw()
    cleanups.pop()
  }
  const next = await open(dataDir)
  assert.equal(await countRows(next.url), 1)
  await next.close()
  assert.equal(isRunning(dataDir), false)
})

async function eventually(check: () => Promise<void>): Promise<void> {
  for (const until = performance.now() + 60_000; ; await sleep(20)) {
    try {
      return await check()
    } catch (error) {
      if (performance.now() > until) throw error
    }
  }
}
