import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { revokeKey } from '../../src/domain/tenants/keys/end-key.ts'
import { createTestDatabase, secretKey, type TestDatabase } from '../support/database.ts'
import { createWorld, keyFor, leadBody, type World } from '../support/factories.ts'
import { root, run, type ServerProcess, startProcess, temporaryFolder } from '../support/process.ts'

const folder = await temporaryFolder()
after(() => folder.remove())
const limit = 100
const connections = 12

describe('two processes of one host', () => {
  let database: TestDatabase
  let world: World
  let server: ServerProcess
  let startedAt: Date
  const env = () => ({
    DATABASE_URL: database.url,
    DATA_DIR: join(folder.path, 'data'),
    SECRET_KEY: secretKey,
    DEMO: '0',
    LOG_LEVEL: 'info',
    WEB_CONCURRENCY: '2',
    RATE_LIMIT_PER_MINUTE: String(limit),
    DATABASE_CONNECTIONS: String(connections),
  })

  before(async () => {
    database = await createTestDatabase()
    world = await createWorld(database.db)
    startedAt = new Date()
    server = await startProcess(env())
  })
  after(() => database.drop())

  /** Each call over a connection of its own: they go to the processes by turns. */
  async function call(path: string, key?: string, body?: object) {
    const dispatcher = new Agent({ connections: 1, headersTimeout: 20_000 })
    try {
      const answer = await request(server.url + path, {
        dispatcher,
        method: body ? 'POST' : 'GET',
        headers: {
          origin: server.url,
          'x-sunstead-console': '1',
          ...(key ? { authorization: `Bearer ${key}` } : {}),
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        body: body ? JSON.stringify(body) : null,
      })
      return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() }
    } finally {
      await dispatcher.close()
    }
  }
  const calls = (count: number, path: string, key?: string) =>
    Promise.all(Array.from({ length: count }, () => call(path, key)))
  const lines = () =>
    server
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  const pids = () =>
    new Map(
      lines().flatMap((line) => (line['msg'] === 'a worker serves' ? [[line['worker'], line['pid']]] : [])),
    ) as Map<number, number>
  async function until<T>(found: () => Promise<T> | T): Promise<NonNullable<T>> {
    for (const end = Date.now() + 60_000; ; await sleep(20)) {
      const one = await found()
      if (one) return one
      if (Date.now() > end) throw new Error(`it did not come to it:\n${server.output()}`)
    }
  }

  test('of 150 calls that both answer, exactly as many pass as may', async () => {
    const { secret } = await keyFor(world, world.installer)
    const answers = await calls(150, '/v1/me', secret)
    const passed = answers.filter(({ status }) => status === 200)
    assert.equal(passed.length, limit)
    assert.equal(new Set(passed.map(({ headers }) => headers['ratelimit-remaining'])).size, limit)
    assert.ok(answers.every(({ status, headers }) => status === 200 || Number(headers['retry-after']) > 0))
    const served = () => new Set(lines().flatMap((line) => (line['route'] ? [line['process']] : [])))
    await until(() => served().size === 2)
  })

  test('guesses are counted together', async () => {
    const guess = () => call('/console/api/invitation-link', undefined, { token: 'x'.repeat(43) })
    const statuses = (await Promise.all(Array.from({ length: 40 }, guess))).map(({ status }) => status)
    const wrong = statuses.filter((status) => status === 404).length
    // 21 may be wrong before there are waits, of seconds; each process for itself would let nearly all pass.
    assert.ok(wrong >= 21 && wrong <= 23, String(statuses))
    assert.equal(statuses.filter((status) => status === 429).length, 40 - wrong, String(statuses))
  })

  test('a key that is revoked is refused by both within a second', async () => {
    const { secret, key } = await keyFor(world, world.installer)
    assert.deepEqual([...new Set((await calls(8, '/v1/me', secret)).map(({ status }) => status))], [200])
    await revokeKey(database.db, new Date(), key.id)
    await sleep(1_000)
    assert.deepEqual([...new Set((await calls(8, '/v1/me', secret)).map(({ status }) => status))], [401])
  })

  test('metrics are those of both together', async () => {
    // One that does not answer in time is left out.
    const text = await until(async () => {
      const { text } = await call('/metrics')
      return /^processes 2$/m.test(text) ? text : null
    })
    const answered = [...text.matchAll(/^http_requests_total\{[^}]*status="(200|429)"[^}]*\} (\d+)$/gm)]
    assert.ok(answered.reduce((sum, [, , count]) => sum + Number(count), 0) >= 150, text)
  })

  test('together they hold no more connections than they may', async () => {
    await Promise.all([calls(30, '/v1/leads', world.dealer.key), calls(30, '/v1/projects', world.dealer.key)])
    await Promise.all(Array.from({ length: 30 }, () => call('/v1/leads', world.dealer.key, leadBody)))
    const [row] = await database.rows<{ n: number }>(
      `select count(*) as n from pg_stat_activity where datname = current_database()
       and application_name like 'sunstead%' and backend_start > $1`,
      [startedAt],
    )
    // The test's own, which has the same name, may have come meanwhile.
    assert.ok(row!.n > connections && row!.n <= 2 * connections + 2, `${row!.n} connections`)
  })

  test('one that is killed is replaced, and no call fails but those in its hands', async () => {
    const first = pids().get(1)!
    const failed: unknown[] = []
    const refused: string[] = []
    let isOver = false
    const calling = Array.from({ length: 4 }, async () => {
      for (; !isOver; await sleep(5)) {
        const answer = await call('/docs').catch((error) => void failed.push(error))
        if (answer && answer.status !== 200) refused.push(answer.text)
      }
    })
    process.kill(first, 'SIGKILL')
    await until(() => pids().get(1) !== first)
    isOver = true
    await Promise.all(calling)
    assert.ok(failed.length <= calling.length, `${failed.length} failed: ${failed}`)
    assert.deepEqual(refused, [], 'the one that comes in its place is not heard before it is ready')
    await until(async () => /^processes 2$/m.test((await call('/metrics')).text))
    assert.ok(lines().some(({ msg, worker }) => msg === 'a worker has died and is replaced' && worker === 1))
  })

  test('SIGTERM: what was begun is answered, and all end', async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    const answers = socket.setEncoding('utf8')[Symbol.asyncIterator]()
    const body = JSON.stringify(leadBody)
    const head = [
      'POST /v1/leads HTTP/1.1',
      'host: x',
      `authorization: Bearer ${world.installer.key}`,
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(body)}`,
      'expect: 100-continue',
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    // What is not yet taken up when a server stops is refused.
    assert.match((await answers.next()).value, /^HTTP\/1\.1 100 /)
    server.child.kill('SIGTERM')
    await until(() => server.output().includes('"stopping"'))
    socket.write(body)
    assert.match((await answers.next()).value, /^HTTP\/1\.1 201 /)
    socket.destroy()
    const [code] = server.child.exitCode === null ? await once(server.child, 'exit') : [server.child.exitCode]
    assert.equal(code, 0, server.output())
    for (const pid of pids().values()) assert.throws(() => process.kill(pid, 0))
  })

  test('the workers of one that is killed end with it', async () => {
    server = await startProcess(env())
    await until(() => pids().size === 2)
    process.kill(server.child.pid!, 'SIGKILL')
    const isGone = (pid: number) => {
      try {
        return !process.kill(pid, 0)
      } catch {
        return true
      }
    }
    await until(() => [...pids().values()].every(isGone))
  })

  test('a start that cannot serve ends, and says why', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const { code, stderr } = await run([process.execPath, join(root, 'bin/sunstead.js'), 'serve'], {
      ...env(),
      PORT: String(port),
    })
    other.close()
    assert.equal(code, 1)
    assert.match(stderr, /is taken by another program/)
  })
})
