import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { after, test } from 'node:test'
import pg from 'pg'
import pino from 'pino'
import { DatabaseUnavailable } from '../../src/platform/database-errors.ts'
import { usualCallMs } from '../../src/platform/database-limits.ts'
import { openDatabase } from '../../src/platform/db.ts'
import { type Answer, type App, startApp } from '../support/app.ts'
import { oneServerOnly } from '../support/citus.ts'
import { createTestDatabase } from '../support/database.ts'
import { createWorld, leadBody, project } from '../support/factories.ts'
import { startHttpsServer } from '../support/https-server.ts'
import { png } from '../support/sample-files.ts'

const database = await createTestDatabase()
const world = await createWorld(database.db)
const { key } = world.installer
const proxy = await startProxy(database.url)
after(async () => {
  await proxy.close()
  await database.drop()
})

/** Stands between the server and its database, and can be cut like a cable. */
async function startProxy(url: string) {
  const { host, port } = new pg.Client({ connectionString: url })
  const sockets = new Set<Socket>()
  let up = true
  let muted = false
  const server = createServer((near) => {
    if (!up) return near.destroy()
    const far = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(far)
    far.on('data', (bytes) => muted || near.write(bytes))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: url.replace(/@[^/]+\//, `@127.0.0.1:${(server.address() as { port: number }).port}/`),
    connections: () => sockets.size / 2,
    down() {
      up = false
      cut()
    },
    up() {
      up = true
      muted = false
    },
    /** Takes what is sent and hands on no answer, until it is down and up again. */
    mute() {
      muted = true
    },
    async close() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}

const overProxy = () =>
  startApp({ database: { ...database, url: proxy.url }, outside: { callMs: usualCallMs } })
const reasons = [
  'The service cannot reach its database just now. Retry shortly.',
  'The service has no room for this just now. Retry later.',
  'The server is stopping. Retry shortly.',
]
const assertUnavailable = ({ status, headers, body }: Answer) => {
  assert.equal(status, 503)
  assert.equal(body.error.code, 'unavailable')
  assert.ok(reasons.includes(body.error.message), body.error.message)
  assert.match(headers['retry-after']!, /^[1-9]\d*$/)
}

test('without its database every call is 503 with Retry-After, and works again when it is back', async () => {
  const app = await overProxy()
  try {
    const { leadId, projectId } = await project(world.installer)
    const calls = () =>
      Promise.all([
        app.get('/v1/leads', key),
        app.get(`/v1/projects/${projectId}`, key),
        app.call('POST', '/v1/leads', { key, body: leadBody }),
        app.call('PATCH', `/v1/leads/${leadId}`, { key, body: { phone: `${Math.random()}` } }),
        app.call('POST', `/v1/projects/${projectId}/stage`, { key, body: { stage: 'Sold' } }),
      ])
    for (let round = 0; round < 2; round++) {
      assert.ok((await calls()).every((a) => a.status < 300))
      assert.equal((await app.send('GET', '/readyz')).status, 200)
      proxy.down()
      for (const answer of await calls()) assertUnavailable(answer)
      assert.equal((await app.send('GET', '/readyz')).status, 503)
      assert.equal((await app.send('GET', '/healthz')).status, 200)
      proxy.up()
    }
    assert.ok((await calls()).every((a) => a.status < 300))
  } finally {
    proxy.up()
    await app.stop()
  }
})

test('a cable cut under heavy writing gives 503s, breaks nothing and loses nothing that was answered', async () => {
  const app = await overProxy()
  try {
    const deal = await project(world.installer)
    const made: string[] = []
    const seen = new Set<number>()
    let going = true
    const until = performance.now() + 120_000
    const writers = Array.from({ length: 16 }, async (_, n) => {
      for (let i = 0; going && performance.now() < until; i++) {
        const answer =
          n % 2
            ? await app.call('POST', '/v1/leads', { key, body: { ...leadBody, externalId: `cut-${n}-${i}` } })
            : await app.call('PATCH', `/v1/leads/${deal.leadId}`, { key, body: { phone: `${n}-${i}` } })
        assert.ok([200, 201, 503].includes(answer.status), answer.text)
        seen.add(answer.status)
        if (answer.status === 201) made.push(answer.body.leadId)
      }
    })
    for (let cuts = 0; cuts < 4; cuts++) {
      const target = made.length + 15
      while (made.length < target && performance.now() < until) await new Promise(setImmediate)
      proxy.down()
      while (!seen.has(503) && performance.now() < until) await new Promise(setImmediate)
      proxy.up()
      if (cuts < 3) seen.delete(503)
    }
    going = false
    await Promise.all(writers)
    assert.ok(seen.has(503) && performance.now() < until)
    const found = await database.rows<{ id: string }>("select id from leads where external_id like 'cut-%'")
    const ids = new Set(found.map((row) => row.id))
    assert.ok(made.every((id) => ids.has(id)))
    const doubles = await database.rows(
      "select external_id from leads where external_id like 'cut-%' group by 1 having count(*) > 1",
    )
    assert.deepEqual(doubles, [])
    assert.equal((await app.get('/v1/me', key)).status, 200)
  } finally {
    proxy.up()
    await app.stop()
  }
})

test('a connection lost inside a transaction fails that transaction and nothing else', async () => {
  const db = openDatabase(proxy.url, () => {})
  const { promise: cutDone, resolve: resolveCut } = Promise.withResolvers<void>()
  try {
    const asleep = db.transaction((tx) => tx.query({ name: '', text: 'select pg_sleep(30)' }, []))
    const resting = db.transaction(async (tx) => {
      await tx.query({ name: '', text: 'select 1' }, [])
      await cutDone
      await tx.query({ name: '', text: 'select 1' }, [])
    })
    while (proxy.connections() < 2) await new Promise(setImmediate)
    await new Promise((resolve) => setTimeout(resolve, 100))
    const outcomes = Promise.allSettled([asleep, resting])
    proxy.down()
    resolveCut()
    for (const outcome of await outcomes) {
      assert.ok(
        outcome.status === 'rejected' && outcome.reason instanceof DatabaseUnavailable,
        String(outcome.status),
      )
    }
    proxy.up()
    assert.deepEqual(await db.query({ name: '', text: 'select 1 as one' }, []), [{ one: 1 }])
  } finally {
    proxy.up()
    await db.close()
  }
})

test('a database that falls silent inside a transaction: the call is 503 before long, and all is well afterwards', {
  skip: oneServerOnly(),
}, async () => {
  const app = await overProxy()
  const holder = new pg.Client({ connectionString: database.url })
  await holder.connect()
  try {
    const hook = { url: 'https://example.com/hook', events: ['*'] }
    const call = () => app.call('POST', '/catalog/v1/webhooks', { key, body: hook })
    await app.get('/v1/me', key)
    await holder.query('begin')
    await holder.query('select from tenant_clocks where installer_id = $1 for update', [
      world.installer.company.id,
    ])
    const begun = performance.now()
    const waiting = call()
    // In the middle of its transaction, where it waits for the tenant.
    const waits = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
    while ((await database.rows(waits)).length === 0);
    proxy.mute()
    assertUnavailable(await waiting)
    assert.ok(performance.now() - begun < 60_000)
    proxy.down()
    proxy.up()
    await holder.query('rollback')
    assert.equal((await call()).status, 201)
    const made = await database.rows('select from webhooks where url = $1', [hook.url])
    assert.equal(made.length, 1)
  } finally {
    proxy.up()
    await holder.end()
    await app.stop()
  }
})

for (const [code, words] of [
  ['EDQUOT', 'the disk quota is used up'],
  ['ENOSPC', 'the disk is full'],
] as const) {
  test(`${code} where files are kept is 503 and a line in the log, once, and nothing of the file stays`, async () => {
    const outside = await startHttpsServer((_request, response) => response.end(png))
    const lines: string[] = []
    const app = await startApp({
      database,
      log: pino({ level: 'warn' }, { write: (line) => void lines.push(line) }),
      env: { OUTBOUND_TRUSTED_HOSTS: `localhost:${outside.port}` },
      outside: { ca: outside.ca },
    })
    const { projectId } = await project(world.installer)
    const body = { folder: 'other', files: [{ url: `${outside.url}/roof.png` }] }
    const add = () => app.call('POST', `/v1/projects/${projectId}/files`, { key, body })
    // A quota cannot be set on every file system: the store meets it here as it would there.
    const { store } = app.server.deps.copying
    const put = store.put
    store.put = async () => {
      throw Object.assign(new Error(`${code}: write`), { code })
    }
    for (let i = 0; i < 3; i++) assertUnavailable(await add())
    store.put = put
    assert.deepEqual(await app.storedFiles(), [])
    const told = lines.filter((line) => line.includes(words))
    assert.equal(told.length, 1, lines.join(''))
    assert.equal((await add()).status, 201)
    await app.stop()
    await outside.close()
  })
}

test('what is under way when the server is told to stop is answered; who comes later is turned away', async () => {
  let release = () => {}
  const outside = await startHttpsServer((_request, response) => {
    release = () => response.end(png)
    reached()
  })
  const { promise: underWay, resolve: reached } = Promise.withResolvers<void>()
  const app = await startApp({
    env: { OUTBOUND_TRUSTED_HOSTS: `localhost:${outside.port}` },
    outside: { ca: outside.ca },
    database,
  })
  const { projectId } = await project(world.installer)
  const url = `${outside.url}/slow.png`
  const slow = app.call('POST', `/v1/projects/${projectId}/files`, {
    key,
    body: { folder: 'other', files: [{ url }] },
  })
  await underWay
  const stopped = app.server.stop()
  await assertTurnedAway(app)
  release()
  const answer = await slow
  assert.equal(answer.status, 201, answer.text)
  await stopped
  await assertTurnedAway(app)
  await app.stop()
  await outside.close()
  const files = await database.rows('select from files where project_id = $1', [projectId])
  assert.equal(files.length, 1)
})

async function assertTurnedAway(app: App): Promise<void> {
  const answer = await app.send('GET', '/v1/me', { key }).catch((error: { code?: string }) => error)
  if ('status' in answer) assertUnavailable(answer)
  else assert.match(answer.code ?? '', /ECONNREFUSED|UND_ERR_SOCKET|ECONNRESET/)
}

test('a kept-alive connection that asks during the stop is told 503 and closed', async () => {
  const app = await startApp({ database })
  app.server.deps.state.phase = 'stopping'
  const answer = await app.send('GET', '/v1/me', { key })
  assertUnavailable(answer)
  assert.match(answer.headers['x-request-id']!, /\S/)
  assert.equal(answer.headers.connection, 'close')
  assert.equal((await app.send('GET', '/readyz')).status, 503)
  assert.equal((await app.send('GET', '/healthz')).status, 200)
  app.server.deps.state.phase = 'ready'
  assert.equal((await app.get('/v1/me', key)).status, 200)
})
