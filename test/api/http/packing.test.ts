import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { codingFor } from '../../../src/api/http/packing.ts'
import { startApp } from '../../support/app.ts'
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
