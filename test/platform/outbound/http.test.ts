import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { createOutbound, type OutboundOptions } from '../../../src/platform/outbound/http.ts'
import { OutboundRefused } from '../../../src/platform/outbound/refused.ts'
import { type HttpsServer, startHttpsServer } from '../../support/https-server.ts'

let server: HttpsServer
let handler: (request: IncomingMessage, response: ServerResponse) => void = () => {}
before(async () => {
  server = await startHttpsServer((request, response) => handler(request, response))
})
after(() => server.close())

const loopback = async () => [{ address: '127.0.0.1', family: 4 }]
const address = (path = '/', host = 'files.example.com') => `https://${host}:${server.port}${path}`

/** Trusts the test server under one public-looking name, unless told otherwise. */
function outboundFor(t: { after(work: () => unknown): void }, options: Partial<OutboundOptions> = {}) {
  const outbound = createOutbound({
    trustedHosts: new Set([`files.example.com:${server.port}`]),
    ca: server.ca,
    resolve: loopback,
    ...options,
  })
  t.after(() => outbound.close())
  return outbound
}

const signal = () => AbortSignal.timeout(60_000)
const refusedWith = (message: RegExp) => (error: unknown) => {
  assert(error instanceof OutboundRefused, String(error))
  assert.match(error.message, message)
  assert.doesNotMatch(error.message, /\d+\.\d+\.\d+\.\d+|::/)
  return true
}

test('opens an address whose certificate is for its name', async (t) => {
  handler = (request, response) => response.end(`${request.method} ${request.url} ${request.headers.host}`)
  const answer = await outboundFor(t).open(address('/a?b=1'), { signal: signal() })
  assert.equal(answer.status, 200)
  assert.equal(answer.finalUrl.pathname, '/a')
  assert.equal(await text(answer.body), `GET /a?b=1 files.example.com:${server.port}`)
})

test('posts a body and answers a redirect as it came', async (t) => {
  handler = async (request, response) => {
    response.writeHead(307, { location: '/elsewhere', 'x-got': await text(request) }).end()
  }
  const answer = await outboundFor(t).open(address(), {
    method: 'POST',
    body: '{"a":1}',
    headers: { 'content-type': 'application/json' },
    redirects: 0,
    signal: signal(),
  })
  assert.equal(answer.status, 307)
  assert.equal(answer.headers['x-got'], '{"a":1}')
  await text(answer.body)
})

const privateAnswers: [label: string, ...addresses: string[]][] = [
  ['loopback', '127.0.0.1'],
  ['private (10/8)', '10.0.0.1'],
  ['private (172.16/12)', '172.16.0.1'],
  ['private (192.168/16)', '192.168.0.1'],
  ['link-local', '169.254.169.254'],
  ['CGNAT', '100.64.0.1'],
  ['multicast', '224.0.0.1'],
  ['reserved', '240.0.0.1'],
  ['unspecified', '0.0.0.0'],
  ['IPv6 loopback', '::1'],
  ['IPv6 link-local', 'fe80::1'],
  ['unique-local', 'fd00::1'],
  ['IPv6 multicast', 'ff02::1'],
  ['IPv4-mapped', '::ffff:127.0.0.1'],
  ['IPv4-compatible', '::7f00:1'],
  ['NAT64', '64:ff9b::7f00:1'],
  ['6to4', '2002:7f00:1::'],
  ['one private among public ones', '93.184.216.34', '127.0.0.1'],
]

for (const [label, ...addresses] of privateAnswers) {
  test(`does not connect to a name that resolves to ${label}`, async (t) => {
    const before = server.connections()
    const resolve = async () => addresses.map((ip) => ({ address: ip, family: ip.includes(':') ? 6 : 4 }))
    const outbound = outboundFor(t, { trustedHosts: new Set(), resolve })
    await assert.rejects(
      outbound.open(address(), { signal: signal() }),
      refusedWith(/not lead to a public address/),
    )
    assert.equal(server.connections(), before)
  })
}

test('a refused form never resolves nor connects', async (t) => {
  const before = server.connections()
  let resolved = 0
  const resolve = async () => {
    resolved++
    return loopback()
  }
  const outbound = outboundFor(t, { resolve })
  const { port } = server
  for (const url of [
    `http://files.example.org:${port}/`,
    `https://127.0.0.1:${port}/`,
    `https://2130706433:${port}/`,
    `https://0177.0.0.1:${port}/`,
    `https://0x7f.1:${port}/`,
    `https://[::1]:${port}/`,
    `https://[::ffff:127.0.0.1]:${port}/`,
    `https://localhost:${port}/`,
    `https://a.local:${port}/`,
    `https://a.internal:${port}/`,
    `https://user:pass@files.example.com:${port}/`,
  ]) {
    await assert.rejects(outbound.open(url, { signal: signal() }), OutboundRefused, url)
  }
  assert.equal(resolved, 0)
  assert.equal(server.connections(), before)
})

/** Plays the public internet on 127.0.0.1 and a private network on 127.0.0.2. */
const isPublic = (ip: string) => ip === '127.0.0.1'
function changingResolver(...answers: string[]) {
  const asked: string[] = []
  return {
    asked,
    resolve: async (name: string) => {
      asked.push(name)
      return [{ address: answers[Math.min(asked.length, answers.length) - 1]!, family: 4 }]
    },
  }
}

test('connects to the very address that was checked, when the name changes it afterwards', async (t) => {
  handler = (_request, response) => response.end('checked')
  const { asked, resolve } = changingResolver('127.0.0.1', '127.0.0.2')
  const outbound = outboundFor(t, { trustedHosts: new Set(), resolve, isPublic })
  const answer = await outbound.open(address(), { signal: signal() })
  assert.equal(await text(answer.body), 'checked')
  assert.deepEqual(asked, ['files.example.com'])
})

test('checks a changed address again at the next connection', async (t) => {
  handler = (_request, response) => response.writeHead(200, { connection: 'close' }).end('once')
  const { asked, resolve } = changingResolver('127.0.0.1', '127.0.0.2', '127.0.0.1')
  const outbound = outboundFor(t, { trustedHosts: new Set(), resolve, isPublic })
  await text((await outbound.open(address(), { signal: signal() })).body)
  const before = server.connections()
  await assert.rejects(outbound.open(address(), { signal: signal() }), refusedWith(/public address/))
  assert.equal(server.connections(), before)
  assert.equal(asked.length, 2)
})

const redirectTargets: [label: string, location: () => string, message: RegExp][] = [
  [
    'plain http',
    () => 'http://files.example.org/',
    /redirects to another address, which must begin with https/,
  ],
  ['an IP address', () => `https://127.0.0.1:${server.port}/`, /IP address/],
  ['a decimal IP address', () => `https://2130706433:${server.port}/`, /IP address/],
  ['an IPv6 address', () => `https://[::1]:${server.port}/`, /IP address/],
  ['a single-label name', () => `https://localhost:${server.port}/`, /single word/],
  ['a .internal name', () => 'https://metadata.google.internal/', /\.internal/],
  ['credentials', () => `https://a:b@files.example.com:${server.port}/`, /password/],
  ['another scheme', () => 'file:///etc/passwd', /which must/],
  ['a private address behind a name', () => address('/', 'inside.example.org'), /public address/],
  ['nonsense', () => 'https://', /complete address/],
]

for (const [label, location, message] of redirectTargets) {
  test(`does not follow a redirect to ${label}`, async (t) => {
    let requests = 0
    handler = (_request, response) => {
      requests++
      response.writeHead(302, { location: location() }).end()
    }
    await assert.rejects(outboundFor(t).open(address(), { signal: signal() }), refusedWith(message))
    assert.equal(requests, 1)
  })
}

test('follows five redirects and no sixth', async (t) => {
  handler = (request, response) => {
    const left = Number(request.url?.slice(1))
    const status = [301, 302, 303, 307, 308][left % 5]!
    if (left > 0) response.writeHead(status, { location: `/${left - 1}` }).end('moved')
    else response.end('here')
  }
  const outbound = outboundFor(t)
  const answer = await outbound.open(address('/5'), { signal: signal() })
  assert.equal(answer.finalUrl.pathname, '/0')
  assert.equal(await text(answer.body), 'here')
  await assert.rejects(outbound.open(address('/6'), { signal: signal() }), refusedWith(/more than 5 times/))
})

test('refuses a certificate that nobody vouches for, or that is for another name', async (t) => {
  handler = (_request, response) => response.end('never')
  const trustedHosts = new Set([`files.example.com:${server.port}`, `files.example.net:${server.port}`])
  const unvouched = createOutbound({ trustedHosts, resolve: loopback })
  t.after(() => unvouched.close())
  await assert.rejects(unvouched.open(address(), { signal: signal() }), refusedWith(/certificate/))
  const outbound = outboundFor(t, { trustedHosts })
  const other = address('/', 'files.example.net')
  await assert.rejects(outbound.open(other, { signal: signal() }), refusedWith(/certificate/))
})

test('says in words what went wrong on the way', async (t) => {
  const closed = await startHttpsServer(() => {})
  await closed.close()
  const trustedHosts = new Set([`files.example.com:${closed.port}`])
  const refusing = outboundFor(t, { trustedHosts })
  const gone = `https://files.example.com:${closed.port}/`
  await assert.rejects(refusing.open(gone, { signal: signal() }), refusedWith(/refused the connection/))

  const notFound = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' })
  const nameless = outboundFor(t, { resolve: () => Promise.reject(notFound) })
  await assert.rejects(nameless.open(address(), { signal: signal() }), refusedWith(/could not be found/))

  handler = (request) => request.socket.destroy()
  await assert.rejects(outboundFor(t).open(address(), { signal: signal() }), refusedWith(/broke off/))
})

test('does not wait for ever for a name or a handshake', async (t) => {
  const silent = createTcpServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  t.after(() => silent.close())
  const { port } = silent.address() as AddressInfo
  const trustedHosts = new Set([`files.example.com:${port}`])
  const url = `https://files.example.com:${port}/`
  const mute = outboundFor(t, { trustedHosts, connectTimeoutMs: 100 })
  await assert.rejects(mute.open(url, { signal: signal() }), refusedWith(/too long to accept/))
  const unresolved = outboundFor(t, {
    trustedHosts,
    connectTimeoutMs: 100,
    resolve: () => new Promise(() => {}),
  })
  await assert.rejects(unresolved.open(url, { signal: signal() }), refusedWith(/too long to look up/))
})

test("the caller's signal ends a call that is not answered", async (t) => {
  handler = () => {}
  const reason = new OutboundRefused('took too long')
  const controller = new AbortController()
  setTimeout(() => controller.abort(reason), 50)
  await assert.rejects(outboundFor(t).open(address(), { signal: controller.signal }), reason)
})

test('a trusted host may speak plain http on a private address, found by the system resolver', async (t) => {
  const plain = createServer((_request, response) => response.end('plain')).listen(0, '127.0.0.1')
  await once(plain, 'listening')
  t.after(() => plain.close())
  const { port } = plain.address() as AddressInfo
  const outbound = createOutbound({ trustedHosts: new Set([`localhost:${port}`, `127.0.0.1:${port}`]) })
  t.after(() => outbound.close())
  for (const host of ['localhost', '127.0.0.1']) {
    const answer = await outbound.open(`http://${host}:${port}/`, { signal: signal() })
    assert.equal(await text(answer.body), 'plain')
  }
})
