import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import net from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { buildApp, usualLimits } from '../../../src/app.ts'
import { startApp } from '../../support/app.ts'
import { boundlessSite as site } from '../../support/energy.ts'
import { createWorld } from '../../support/factories.ts'

// The whole server again, on another port, with limits that a test can wait for.
const totalMs = 1_000
const idleMs = 1_500
const { server, database } = await startApp()
const app = await buildApp(server.deps, {
  ...usualLimits,
  arrival: { ...usualLimits.arrival, totalMs, idleMs },
})
await app.listen({ host: '127.0.0.1', port: 0 })
const { port } = app.server.address() as AddressInfo
after(() => app.close())
const { installer } = await createWorld(database.db)
const roof = await site(database, installer, 'Europe/Berlin')
const readings = '/catalog/v1/monitoring/readings'
const line = (i: number) =>
  `${JSON.stringify({
    panel_id: roof.panels[0],
    timestamp: new Date(Date.UTC(2026, 0, 1) + i * 900_000).toISOString(),
    kwh: 1,
  })}\n`

/** Begins a request whose body comes piece by piece; `answer` is all that the server sends until it hangs up. */
function begin(path: string, type: string, length?: number) {
  const socket = net.connect({ host: '127.0.0.1', port, allowHalfOpen: true })
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  socket.on('error', () => {})
  // Also where it is reset: `once` would throw that.
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(answer)))
  socket.on('end', () => socket.destroy())
  const framing = length === undefined ? 'transfer-encoding: chunked' : `content-length: ${length}`
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${installer.key}\r\ncontent-type: ${type}\r\n${framing}\r\n\r\n`,
  )
  return { socket, closed }
}

test('a stream of readings goes on for as long as something comes', async () => {
  const request = http.request({
    port,
    path: readings,
    method: 'POST',
    headers: { authorization: `Bearer ${installer.key}`, 'content-type': 'application/x-ndjson' },
  })
  const answered = once(request, 'response')
  const until = performance.now() + 3 * totalMs
  let sent = 0
  while (performance.now() < until) {
    request.write(line(sent++))
    await sleep(idleMs / 10)
  }
  request.end()
  const [response] = (await answered) as [http.IncomingMessage]
  assert.equal(response.statusCode, 200)
  const text = (await response.toArray()).join('')
  assert.equal(JSON.parse(text).accepted, sent)
})

test('a stream that stalls is cut, also when nothing of it ever came', async () => {
  const stalled = begin(readings, 'application/x-ndjson')
  const piece = line(1_000_000)
  stalled.socket.write(`${piece.length.toString(16)}\r\n${piece}\r\n`)
  const silent = begin(readings, 'application/x-ndjson; charset=utf-8')
  for (const { closed } of [stalled, silent]) {
    const answer = await closed
    assert.match(answer, /^HTTP\/1\.1 400 /)
    assert.match(answer, /did not arrive in time/)
  }
})

test('every other body must have arrived in time, however steadily it comes', async () => {
  const paths: [path: string, type: string][] = [
    [readings, 'application/json'],
    ['/catalog/v1/webhooks', 'application/json'],
    ['/v1/leads', 'application/json'],
    ['/v1/leads', 'application/x-ndjson'],
    ['/legacy/create_project', 'application/json'],
    ['/healthz', 'application/json'],
  ]
  const begun = paths.map(([path, type]) => begin(path, type, 1_000_000))
  const trickle = setInterval(() => {
    for (const { socket } of begun) if (socket.writable) socket.write(' ')
  }, idleMs / 4)
  const startedAt = performance.now()
  await Promise.all(begun.map(({ closed }) => closed))
  clearInterval(trickle)
  assert.ok(performance.now() - startedAt >= totalMs - 100)
})

test('who goes on sending for long after it was refused is hung up on', async () => {
  const refused = begin(readings, 'application/x-ndjson')
  const piece = `10000\r\n${'x'.repeat(65_536)}\r\n`
  const endless = setInterval(() => refused.socket.writable && refused.socket.write(piece), 5)
  const answer = await refused.closed
  clearInterval(endless)
  assert.match(answer, /^HTTP\/1\.1 400 /)
  assert.match(answer, /Line 0 has not ended within 1 MiB/)
})

test('what has arrived is answered however long that takes, and the connection is used again', async () => {
  const holder = new pg.Client({ connectionString: database.url })
  await holder.connect()
  await holder.query('begin')
  await holder.query('select from installations where installer_id = $1 and id = $2 for update', [
    installer.company.id,
    roof.installation,
  ])
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  const post = async (type: string, body: string) => {
    const request = http.request({
      port,
      agent,
      path: readings,
      method: 'POST',
      headers: { authorization: `Bearer ${installer.key}`, 'content-type': type },
    })
    request.end(body)
    const [response] = (await once(request, 'response')) as [http.IncomingMessage]
    return JSON.parse((await response.toArray()).join('')).accepted
  }
  const waiting = post('application/x-ndjson', line(2_000))
  await sleep(2 * totalMs)
  await holder.query('rollback')
  await holder.end()
  assert.equal(await waiting, 1)
  assert.equal(await post('application/json', `{"readings":[${line(2_001)}]}`), 1)
  agent.destroy()
})
