import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import pg from 'pg'
import { codingFor } from '../../../src/api/http/packing.ts'
import { startApp } from '../../support/app.ts'
import { oneServerOnly } from '../../support/citus.ts'
import { createWorld, lead, project } from '../../support/factories.ts'

const app = await startApp()
const { installer } = await createWorld(app.database.db)
for (let i = 0; i < 40; i++) await lead(installer, { notes: 'Ünïcode ☀️ '.repeat(10) })

const ask = (path: string, encoding: string) =>
  app.send('GET', path, { key: installer.key, headers: { 'accept-encoding': encoding } })

test('of the codings that a caller takes, the quicker is chosen', () => {
  const cases: [string | undefined, string | null][] = [
    [undefined, null],
    ['', null],
    ['identity', null],
    ['gzip', 'gzip'],
    ['GZip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['gzip;q=1.0, br;q=0', 'gzip'],
    ['br;q=0.000, gzip;q=0', null],
    ['*', 'br'],
    ['*;q=0', null],
    ['br;q=0, *', 'gzip'],
    ['gzip; q=0.5 , identity', 'gzip'],
    [',,;;q=0,gzip', 'gzip'],
  ]
  for (const [header, coding] of cases) assert.equal(codingFor(header), coding, String(header))
})

test('a long page is packed for who takes it, and is the same page', async () => {
  for (const path of ['/v1/leads?limit=40', '/v1/leads?limit=40&status=new', '/v1/events?limit=40']) {
    const plain = await ask(path, 'identity')
    assert.equal(plain.headers['content-encoding'], undefined)
    assert.equal(plain.headers['vary'], 'accept-encoding')
    for (const [coding, unpack] of [
      ['gzip', gunzipSync],
      ['br', brotliDecompressSync],
    ] as const) {
      const packed = await ask(path, coding)
      assert.equal(packed.status, 200)
      assert.equal(packed.headers['content-encoding'], coding)
      assert.equal(packed.headers['vary'], 'accept-encoding')
      assert.equal(packed.headers['content-length'], String(packed.bytes.length))
      assert.ok(packed.bytes.length * 4 < plain.bytes.length)
      assert.equal(unpack(packed.bytes).toString(), plain.text)
    }
  }
})

test('a short page and an error go as they are', async () => {
  for (const path of ['/v1/leads?limit=1', '/v1/leads?limit=0', '/v1/leads?search=nobody']) {
    const answer = await ask(path, 'gzip, br')
    assert.equal(answer.headers['content-encoding'], undefined)
    assert.ok(answer.body)
  }
})

test('many at once are all answered, packed or not', async () => {
  const answers = await Promise.all(Array.from({ length: 40 }, () => ask('/v1/leads?limit=40', 'gzip')))
  const texts = answers.map(({ headers, bytes }) =>
    headers['content-encoding'] ? gunzipSync(bytes).toString() : Buffer.from(bytes).toString(),
  )
  assert.equal(new Set(texts).size, 1)
  assert.ok(answers.some(({ headers }) => headers['content-encoding'] === 'gzip'))
})

test('whoever hangs up while a very long page is packed or sent harms nobody', async () => {
  for (let i = 0; i < 80; i++) await project(installer, { notes: `☀${i}`.repeat(3_000) })
  const path = '/v1/projects?expand=project&limit=80'
  const { text } = await ask(path, 'identity')
  assert.ok(Buffer.byteLength(text) > 1_048_576, 'so long that its memory is not kept')
  const { port } = new URL(app.url)
  const hangUp = async (coding: string, ms: number) => {
    const socket = connect(Number(port), '127.0.0.1')
    await once(socket, 'connect')
    const head = ['host: x', `authorization: Bearer ${installer.key}`, `accept-encoding: ${coding}`]
    socket.write([`GET ${path} HTTP/1.1`, ...head, '', ''].join('\r\n'))
    await sleep(ms)
    socket.resetAndDestroy()
  }
  const rounds = Array.from({ length: 30 }, async (_, i) => {
    await hangUp(i % 2 ? 'gzip' : 'identity', i)
    const packed = await ask(path, 'gzip')
    const sent = packed.headers['content-encoding'] ? gunzipSync(packed.bytes) : Buffer.from(packed.bytes)
    assert.equal(sent.toString(), text)
  })
  await Promise.all(rounds)
})

test('what is made for those who have gone already takes no room', { skip: oneServerOnly() }, async () => {
  const path = '/v1/projects?expand=project&limit=80'
  const { bytes } = await ask(path, 'identity')
  const { port } = new URL(app.url)
  const client = new pg.Client({ connectionString: app.database.url })
  after(() => client.end())
  await client.connect()
  // Of both sides: they are in this process.
  const connections = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length
  const usual = connections()
  // A company's callers may hold 64 MB in all.
  for (let made = 0; made * bytes.length < 80e6; made += 16) {
    await client.query('begin; lock table projects in access exclusive mode')
    const sockets = Array.from({ length: 16 }, () => connect(Number(port), '127.0.0.1'))
    for (const socket of sockets)
      socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${installer.key}\r\n\r\n`)
    const waiting = `select count(*)::int as n from pg_locks where relation = 'projects'::regclass and not granted`
    while ((await client.query(waiting)).rows[0].n === 0) await sleep(5)
    for (const socket of sockets) socket.resetAndDestroy()
    while (connections() > usual) await sleep(5)
    await client.query('commit')
    assert.equal((await ask('/v1/projects?limit=1', 'identity')).status, 200)
  }
  assert.equal((await ask(path, 'identity')).status, 200)
})
