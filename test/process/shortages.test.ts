import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { openDatabase } from '../../src/platform/db.ts'
import { openEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres.ts'
import { createWorld, leadBody } from '../support/factories.ts'
import { root, startProcess, temporaryFolder, userEnvironment } from '../support/process.ts'

// A PostgreSQL of its own: what it runs out of, everybody who uses it runs out of.
const folder = await temporaryFolder()
const postgres = await openEmbeddedPostgres({
  dataDir: join(folder.path, 'postgres'),
  role: 'server',
  settings: { fsync: 'off', max_connections: '60' },
})
const server = await startProcess({
  DATABASE_URL: postgres.url,
  DATA_DIR: join(folder.path, 'data'),
  RATE_LIMIT_PER_MINUTE: '0',
  DEMO: '0',
})
const db = openDatabase(postgres.url, () => {})
const { installer } = await createWorld(db)
await db.close()
const owner = await connect(postgres.ownerUrl)
after(async () => {
  await server.end('SIGTERM')
  await owner.end()
  await postgres.close()
  await folder.remove()
})

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'test' })
  client.on('error', () => {})
  await client.connect()
  return client
}

const headers = { authorization: `Bearer ${installer.key}`, 'content-type': 'application/json' }
const read = () => fetch(`${server.url}/v1/leads?limit=1`, { headers })
const write = () =>
  fetch(`${server.url}/v1/leads`, { method: 'POST', headers, body: JSON.stringify(leadBody) })

/** Ends all of the server's connections, as a restart of PostgreSQL does. */
const endConnections = () =>
  owner.query(`select pg_terminate_backend(pid, 5000) from pg_stat_activity
    where datname = 'sunstead' and application_name like 'sunstead%' and application_name not like 'sunstead server%'`)

async function assertUnavailable(
  ask: () => Promise<Response>,
  words: RegExp,
  since = performance.now(),
): Promise<void> {
  const seen: Response[] = []
  // What was being sent when a connection ended fails for that.
  for (let i = 0; i < 20; i++) seen.push(await ask())
  for (const answer of seen) {
    assert.equal(answer.status, 503, await answer.text())
    assert.match(answer.headers.get('retry-after')!, /^[1-9]\d*$/)
  }
  while (!words.test(server.output())) await sleep(20)
  // Once in five seconds, and not once for each.
  const lines = server
    .output()
    .split('\n')
    .filter((line) => words.test(line) && line.includes('answered 503'))
  assert.ok(lines.length <= 2 + (performance.now() - since) / 5_000, lines.join('\n'))
  assert.doesNotMatch(server.output(), /a call failed/)
}

/** Soon, and without a start. */
async function assertWell(ask: () => Promise<Response>, status: number): Promise<void> {
  const until = performance.now() + 60_000
  let answer = await ask()
  while (answer.status === 503 && performance.now() < until) answer = await ask()
  assert.equal(answer.status, status, await answer.text())
}

test('where PostgreSQL takes no more connections calls are 503, and the log says so', async () => {
  await assertWell(read, 200)
  const since = performance.now()
  const hoard: pg.Client[] = []
  const left = async () => {
    const { rows } = await owner.query(
      `select count(*)::int as n from pg_stat_activity where application_name like 'sunstead%'
        and application_name not like 'sunstead server%'`,
    )
    return rows[0].n as number
  }
  // Until nobody has one: a place that came free a moment later is taken too.
  const takeAll = async () => {
    do {
      await endConnections()
      for (;;) {
        const client = await connect(postgres.url).catch((error) => assert.equal(error.code, '53300'))
        if (!client) break
        hoard.push(client)
      }
    } while ((await left()) > 0)
  }
  // One that the server was about to get shows only once it has it.
  const readWithout = async () => {
    for (;;) {
      const answer = await read()
      if (answer.status !== 200) return answer
      await takeAll()
    }
  }
  try {
    await takeAll()
    await assertUnavailable(
      readWithout,
      /the database takes no more connections: raise its max_connections/,
      since,
    )
  } finally {
    await Promise.all(hoard.map((client) => client.end()))
  }
  await assertWell(read, 200)
})

test('where PostgreSQL has no memory left for a write it is 503, reads go on, and the log says so', async () => {
  await assertWell(write, 201)
  const holder = await connect(postgres.url)
  let taken = 0
  // What a session locks stays locked, also where the statement fails at last.
  const takeAll = () => {
    taken += 1_000_000
    return assert.rejects(
      holder.query(`select count(pg_advisory_lock(n)) from generate_series(${taken}, ${taken + 999_999}) n`),
      { code: '53200' },
    )
  }
  // What somebody else gives back meanwhile may let a write through.
  const writeWithout = async () => {
    for (;;) {
      await takeAll()
      const answer = await write()
      if (answer.status !== 201) return answer
    }
  }
  try {
    await assertUnavailable(writeWithout, /the database has no memory left: give it more/)
    await assertWell(read, 200)
  } finally {
    await holder.end()
  }
  await assertWell(write, 201)
})

test('a PostgreSQL that has become read-only answers reads; writes are 503, and the log says so', async () => {
  await owner.query('alter database sunstead set default_transaction_read_only = on')
  await endConnections()
  await assertWell(read, 200)
  await assertUnavailable(
    write,
    /the database is read-only: let DATABASE_URL name the server that takes writes/,
  )
  await owner.query('begin read write; alter database sunstead reset default_transaction_read_only; commit')
  await endConnections()
  await assertWell(write, 201)
})

test('a DATA_DIR that may not be written ends the start with a sentence', async (t) => {
  // Root may write everywhere, so somebody else starts it.
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  const command = [process.execPath, join(root, 'bin/sunstead.js')]
  const start = async (dataDir: string) => {
    const child = spawn(command[0]!, [command[1]!, 'serve'], {
      cwd: '/',
      env: userEnvironment({ PORT: '0', DEMO: '0', DATA_DIR: dataDir }),
      stdio: ['ignore', 'pipe', 'pipe'],
      ...nobody,
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    const [code] = await once(child, 'close').catch((error: Error) => [error.message])
    return { code, output: `${output}${code}` }
  }
  const closed = join(folder.path, 'closed')
  await mkdir(closed)
  await mkdir(join(closed, 'data'))
  await chmod(closed, 0o555)
  await chmod(join(closed, 'data'), 0o555)
  for (const dataDir of [join(closed, 'new'), join(closed, 'data')]) {
    const { code, output } = await start(dataDir)
    if (
      /Cannot find module|EACCES: permission denied, (open|stat|lstat) '.*bin|^spawn .* EACCES/.test(output)
    )
      return t.skip('somebody else cannot enter this checkout')
    assert.equal(code, 1, output)
    assert.match(
      output,
      /^Sunstead cannot use .*closed.* Let the user who starts it write there, or set DATA_DIR/m,
    )
    assert.doesNotMatch(output, /^ {4}at /m)
  }
})
