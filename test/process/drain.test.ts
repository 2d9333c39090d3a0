import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent } from 'undici'
import { createTestDatabase } from '../support/database.ts'
import { createWorld } from '../support/factories.ts'
import { type ServerProcess, startProcess, temporaryFolder } from '../support/process.ts'

const folder = await temporaryFolder()
const database = await createTestDatabase()
const { installer } = await createWorld(database.db)
const headers = { authorization: `Bearer ${installer.key}` }
const servers: ServerProcess[] = []
after(async () => {
  for (const server of servers) if (server.child.exitCode === null) await server.end('SIGKILL')
  await database.drop()
  await folder.remove()
})

async function start(name: string, drainSeconds: number): Promise<ServerProcess> {
  const server = await startProcess({
    DATABASE_URL: database.url,
    DATA_DIR: join(folder.path, name),
    DEMO: '0',
    SECRET_KEY: 'the same for all servers of one database',
    RATE_LIMIT_PER_MINUTE: '0',
    DRAIN_SECONDS: String(drainSeconds),
  })
  servers.push(server)
  return server
}

/** Sends calls to whichever is ready, as far as it has heard. */
function startBalancer(origins: string[]) {
  const agent = new Agent({ connections: 16 })
  const ready = new Set(origins)
  const failures: string[] = []
  const answered = new Map<string, number>()
  let going = true

  const asking = origins.map(async (origin) => {
    while (going) {
      const status = await agent.request({ origin, path: '/readyz', method: 'GET' }).then(
        async ({ statusCode, body }) => {
          await body.dump()
          return statusCode
        },
        () => 0,
      )
      if (status === 200) ready.add(origin)
      else ready.delete(origin)
      await sleep(50)
    }
  })
  const calling = Array.from({ length: 8 }, async (_, n) => {
    for (let i = n; going; i++) {
      const all = [...ready]
      const origin = all[i % all.length]!
      await agent.request({ origin, path: '/v1/leads?limit=1', method: 'GET', headers }).then(
        async ({ statusCode, body }) => {
          await body.dump()
          if (statusCode === 200) answered.set(origin, (answered.get(origin) ?? 0) + 1)
          else failures.push(`${origin}: ${statusCode}`)
        },
        (error: Error) => failures.push(`${origin}: ${error.message}`),
      )
      await sleep(10)
    }
  })
  return {
    failures,
    ready,
    answered: (origin: string) => answered.get(origin) ?? 0,
    async stop() {
      going = false
      await Promise.all([...asking, ...calling])
      await agent.destroy()
    },
  }
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(10)
}

test('a server that is stopped says so first: behind a balancer no call fails', async () => {
  const [one, other] = await Promise.all([start('one', 4), start('other', 600)])
  const balancer = startBalancer([one.url, other.url])
  await until(() => balancer.answered(one.url) > 20 && balancer.answered(other.url) > 20)

  // A stream of readings that goes on until the server ends it.
  const stream = request(`${one.url}/catalog/v1/monitoring/readings`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/x-ndjson' },
  })
  stream.write('\n')
  const streamed = once(stream, 'response') as Promise<[IncomingMessage]>

  const ending = one.end('SIGTERM')
  await until(() => !balancer.ready.has(one.url))
  const ask = (path: string) => fetch(`${one.url}${path}`, { headers })
  assert.equal((await ask('/readyz')).status, 503)
  assert.equal((await ask('/healthz')).status, 200)
  const served = await ask('/v1/me')
  assert.equal(served.status, 200)
  assert.equal(served.headers.get('connection'), 'close')

  const [answer] = await streamed
  assert.equal(answer.statusCode, 503)
  assert.match(answer.headers['retry-after']!, /^[1-9]\d*$/)
  stream.destroy()
  assert.equal((await ending).code, 0, one.output())
  const before = balancer.answered(other.url)
  await until(() => balancer.answered(other.url) > before + 20)
  await balancer.stop()
  assert.deepEqual(balancer.failures, [])

  // The other would wait for ten minutes; whoever stops it again has no time.
  process.kill(other.child.pid!, 'SIGTERM')
  for (let status = 200; status === 200; ) status = (await fetch(`${other.url}/readyz`)).status
  // Sooner it would be taken for the same signal, handed on twice.
  await sleep(1_100)
  assert.equal((await other.end('SIGTERM')).code, 0, other.output())
})
