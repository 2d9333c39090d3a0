import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { countsOf, tableLines } from '../../src/conformance/report.ts'
import { type RunOptions, runConformance } from '../../src/conformance/run.ts'
import { targetOf } from '../../src/conformance/target.ts'
import { atFileEnd } from '../support/endings.ts'
import { freePort } from '../support/free-port.ts'

const key = `psk_${'0'.repeat(40)}`

async function judge(port: number, more: RunOptions = {}) {
  const baseUrl = `http://127.0.0.1:${port}`
  const target = targetOf({ baseUrl, installerKey: key, dealerKey: key, orgId: '1', hiProject: 'h' })
  return runConformance(target, { timeoutMs: 2_000, rateLimit: false, ...more })
}

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  atFileEnd(() => {
    server.close()
    server.closeAllConnections()
  })
  return (server.address() as AddressInfo).port
}

async function serveRaw(connected: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createTcpServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    connected(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  atFileEnd(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return (server.address() as AddressInfo).port
}

const nonsense: [name: string, status: number, body: string][] = [
  ['HTML', 200, '<!doctype html><title>Welcome</title>'],
  ['a failure in HTML', 502, '<!doctype html><title>Bad gateway</title>'],
  ['null', 200, 'null'],
  ['an array', 200, '[[], null, 5]'],
  [
    'rows of nothing',
    200,
    '{"data": [null, 5, [], {}], "next": 7, "error": [], "id": {}, "leadId": "a", "leaduid": "b", "meta": 1}',
  ],
  ['rows in rows', 201, '{"data": {"data": [], "project_id": "p", "lead_id": "l"}, "id": "a", "files": {}}'],
]

for (const [name, status, body] of nonsense) {
  test(`a server that answers ${name} fails rules by name`, async () => {
    const port = await serve((request, response) => {
      request.resume()
      response.writeHead(status, { 'content-type': 'text/html' }).end(body)
    })
    const results = await judge(port)
    const { passed, failed } = countsOf(results)
    assert.ok(failed > 100, `${failed} failed`)
    assert.ok(failed > passed, `${passed} passed`)
    assert.ok(results.some(({ id, result }) => id === 'v1.json.success' && result === 'failed'))
    assert.doesNotMatch(tableLines(results).join('\n'), /TypeError|undefined is not|cannot read prop/i)
  })
}

const silent: [name: string, connected: (socket: Socket) => void][] = [
  ['never answers', (socket) => void socket.resume()],
  ['cuts every connection', (socket) => void socket.destroy()],
  ['resets after the call', (socket) => void socket.once('data', () => socket.resetAndDestroy())],
  [
    'speaks no HTTP',
    (socket) => void socket.on('data', () => socket.write('220 mail.example.com ESMTP\r\n')),
  ],
  [
    'promises more than it sends',
    (socket) => void socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{')),
  ],
  [
    'sends without end',
    (socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        const more = () => {
          while (socket.write('x'.repeat(65_536)));
        }
        socket.on('drain', more)
        more()
      })
    },
  ],
]

for (const [name, connected] of silent)
  test(`a server that ${name} fails every rule that asks it, in time`, async () => {
    const begin = performance.now()
    const results = await judge(await serveRaw(connected), { timeoutMs: 150 })
    const { passed, failed } = countsOf(results)
    // The form of the keys is known without asking.
    assert.equal(passed, 1)
    assert.ok(failed > 100, `${failed} failed`)
    assert.ok(performance.now() - begin < 30_000)
  })

test('where the key itself is refused, no rule passes that sends it', async () => {
  let withKey = 0
  const port = await serve((request, response) => {
    request.resume()
    if (request.headers.authorization === `Bearer ${key}`) withKey++
    response.writeHead(401, { 'content-type': 'application/json', 'x-request-id': 'a' })
    response.end(
      '{"error": {"code": "unauthorized", "message": "No.", "docs": "d"}, "success": false, "message": "No."}',
    )
  })
  const results = await judge(port)
  assert.ok(withKey > 100, `${withKey}`)
  const passed = results.filter(({ result }) => result === 'passed').map(({ id }) => id)
  // What sends no key, or one that is meant to be refused.
  assert.deepEqual(
    passed.filter((id) => !/^(v1|legacy|catalogue)\.keys\.|\.unauthorized$/.test(id)),
    [],
  )
})

test('where nobody listens, every rule says so', async () => {
  const results = await judge(await freePort(), { only: ['v1.me'] })
  assert.match(results[0]!.why!, /GET \/v1\/me: no whole answer \(.*ECONNREFUSED/)
})

test('a rate limit is waited for, and whether its wait holds is a rule', async () => {
  for (const [seconds, passes] of [
    [1, true],
    [1, false],
  ] as const) {
    let calls = 0
    let until = 0
    const port = await serve((_request, response) => {
      const now = performance.now()
      if (++calls > 100 && until === 0) until = now + (passes ? seconds * 1000 - 100 : 60_000)
      const isOver = until > 0 && now < until
      response.writeHead(isOver ? 429 : 200, {
        'content-type': 'application/json',
        ...(isOver ? { 'retry-after': String(seconds) } : {}),
        ...{ 'ratelimit-limit': '100', 'ratelimit-remaining': '0', 'ratelimit-reset': '1' },
      })
      response.end(
        JSON.stringify(isOver ? { error: { code: 'rate_limited', message: 'Wait.', docs: '' } } : {}),
      )
    })
    const notes: string[] = []
    const results = await judge(port, {
      only: ['v1.limits'],
      rateLimit: true,
      note: (line) => notes.push(line),
    })
    const failed = results.filter(({ result }) => result !== 'passed').map(({ id }) => id)
    assert.deepEqual(failed, passes ? [] : ['v1.limits.waited'])
    assert.match(notes.join('\n'), /Waiting 1 s/)
  }
})

test('a call that meets the limit is sent again after Retry-After', async () => {
  let calls = 0
  const port = await serve((_request, response) => {
    if (++calls === 1) return response.writeHead(429, { 'retry-after': '1' }).end('{}')
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"key":{"name":"a","prefix":"b"}}')
  })
  const notes: string[] = []
  const results = await judge(port, { only: ['v1.me.key.name'], note: (line) => notes.push(line) })
  assert.equal(results[0]!.result, 'passed')
  assert.deepEqual(notes, ["The server's rate limit is reached; waiting 1 s."])
})

test('a stopped run ends at once', async () => {
  const stop = new AbortController()
  const port = await serve(() => stop.abort(new Error('Stopped.')))
  await assert.rejects(judge(port, { signal: stop.signal, timeoutMs: 60_000 }), /Stopped/)
})

test('a stopped run still removes what it made', async () => {
  const stop = new AbortController()
  const removed: string[] = []
  const port = await serve((request, response) => {
    request.resume()
    if (request.method === 'POST') response.writeHead(201).end('{"id": "made"}')
    else if (request.method === 'DELETE') removed.push(request.url!) && response.writeHead(204).end()
    else stop.abort(new Error('Stopped.'))
  })
  await assert.rejects(
    judge(port, { only: ['catalogue.panels.create.kept'], signal: stop.signal }),
    /Stopped/,
  )
  assert.deepEqual(removed, ['/catalog/v1/panels/made'])
})
