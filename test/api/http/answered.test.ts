import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { Writable } from 'node:stream'
import { after, test } from 'node:test'
import pino from 'pino'
import { startApp } from '../../support/app.ts'
import { createTestDatabase } from '../../support/database.ts'
import { createWorld, project } from '../../support/factories.ts'
import { startHttpsServer } from '../../support/https-server.ts'
import { addPerson, signedIn } from '../../support/people.ts'

interface LogLine {
  level: string
  status?: number
  route?: string
  refused?: number
}

const database = await createTestDatabase()
after(() => database.drop())
const world = await createWorld(database.db)
const { key } = world.installer
let asked = () => {}
const outside = await startHttpsServer(() => asked())
after(() => outside.close())

/** A server whose log is kept. */
async function startLogged(env: Record<string, string> = {}) {
  const lines: LogLine[] = []
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  })
  const app = await startApp({
    database,
    env: { OUTBOUND_TRUSTED_HOSTS: `localhost:${outside.port}`, ...env },
    outside: { ca: outside.ca },
    log: pino({ formatters: { level: (label) => ({ level: label }) } }, sink),
  })
  const counted = async (status: number, route: string) => {
    const metric = await app.server.deps.metrics.registry.getSingleMetric('http_requests_total')!.get()
    const of = metric.values.filter(({ labels }) => labels['status'] === status && labels['route'] === route)
    return of.reduce((sum, { value }) => sum + value, 0)
  }
  const failures = async () => {
    const metric = await app.server.deps.metrics.registry.getSingleMetric('http_requests_total')!.get()
    return metric.values.filter(({ labels }) => Number(labels['status']) >= 500)
  }
  return { app, lines, counted, failures }
}

test('calls over the limit are counted one by one, and told once for each key', async () => {
  const { app, lines, counted } = await startLogged({ RATE_LIMIT_PER_MINUTE: '5' })
  const statuses: number[] = []
  for (let i = 0; i < 45; i++) statuses.push((await app.get('/v1/me', key)).status)
  assert.equal(statuses.filter((status) => status === 429).length, 40)
  await new Promise(setImmediate)
  assert.equal(await counted(429, '/v1/me'), 40)
  assert.equal(lines.filter(({ status }) => status === 429).length, 0)
  assert.equal(lines.filter(({ status, route }) => status === 200 && route === '/v1/me').length, 5)
  await app.server.stop()
  assert.deepEqual(
    lines.filter(({ refused }) => refused !== undefined).map(({ refused }) => refused),
    [40],
  )

  const again = await startApp({ database })
  const owner = await signedIn(again, await addPerson(again, world.installer.company.id, 'owner'))
  const { requests } = (await owner.get('/requests?status=429')).body
  assert.deepEqual(
    requests.map(({ status, times, path }: { status: number; times: number; path: string }) => [
      status,
      times,
      path,
    ]),
    [[429, 40, '/v1/me']],
  )
  const hours = await database.rows<{ calls: string; failures: string }>(
    'select sum(calls) as calls, sum(failures) as failures from api_key_hours',
  )
  assert.deepEqual(
    hours.map(({ calls, failures }) => [Number(calls), Number(failures)]),
    [[45, 40]],
  )
  await again.stop()
})

test('who hangs up while sending, or while waiting, is counted as that and is no error', async () => {
  const { app, lines, counted, failures } = await startLogged()
  const { hostname, port } = new URL(app.url)
  const until = async (done: () => Promise<boolean>) => {
    while (!(await done())) await new Promise((resolve) => setTimeout(resolve, 10))
  }
  const say = (head: string[], body: string) => {
    const caller = connect(Number(port), hostname)
    caller.on('error', () => {})
    caller.write([...head, 'host: sunstead', `authorization: Bearer ${key}`, '', body].join('\r\n'))
    return caller
  }

  const type = 'content-type: application/json'
  const sending: [path: string, route: string, type: string][] = [
    ['/v1/leads', '/v1/leads', type],
    ['/legacy/create_project', '/legacy/create_project', type],
    ['/catalog/v1/monitoring/readings', '/catalog/v1/monitoring/readings', type],
    [
      '/catalog/v1/monitoring/readings',
      '/catalog/v1/monitoring/readings',
      'content-type: application/x-ndjson',
    ],
  ]
  for (const [i, [path, route, type]] of sending.entries()) {
    const caller = say([`POST ${path} HTTP/1.1`, type, 'content-length: 90000'], '{"a":')
    await once(caller, 'connect')
    await new Promise((resolve) => setTimeout(resolve, 50))
    caller.resetAndDestroy()
    await until(async () => (await counted(499, route)) === (i === 3 ? 2 : 1))
  }

  const { projectId } = await project(world.installer)
  const body = JSON.stringify({ folder: 'other', files: [{ url: `${outside.url}/slow.pdf` }] })
  const reached = new Promise<void>((resolve) => {
    asked = resolve
  })
  const waiting = say(
    [`POST /v1/projects/${projectId}/files HTTP/1.1`, type, `content-length: ${body.length}`],
    body,
  )
  await reached
  waiting.destroy()
  await until(async () => (await counted(499, '/v1/projects/:id/files')) === 1)

  assert.deepEqual(await failures(), [])
  assert.deepEqual(
    lines.filter(({ level }) => level === 'error' || level === 'fatal'),
    [],
  )
  await app.stop()
})
