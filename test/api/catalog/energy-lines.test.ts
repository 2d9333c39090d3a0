import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import http from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { batchSize } from '../../../src/domain/sites/energy/take-readings.ts'
import { revokeKey } from '../../../src/domain/tenants/keys/end-key.ts'
import { createTestDatabase } from '../../support/database.ts'
import { checkRollUps, boundlessSite as site } from '../../support/energy.ts'
import { createWorld, keyFor } from '../../support/factories.ts'
import { root, startProcess, temporaryFolder } from '../../support/process.ts'

// The server is a process of its own: its memory is looked at. It is given little, as it would otherwise leave its
// garbage lying about: what it held on to would not fit.
const database = await createTestDatabase()
const world = await createWorld(database.db)
const { installer, dealer } = world
const folder = await temporaryFolder()
const server = await startProcess(
  { DATABASE_URL: database.url, DATA_DIR: folder.path, RATE_LIMIT_PER_MINUTE: '0', DEMO: '0' },
  [process.execPath, '--max-old-space-size=128', join(root, 'bin/sunstead.js'), 'serve'],
)
after(async () => {
  await server.end('SIGTERM')
  await database.drop()
  await folder.remove()
})

const roof = await site(database, installer, 'America/Los_Angeles', 10)
const start = Date.UTC(2022, 0, 1)
const quarterMs = 900_000
const line = (i: number, kwh = 0.25) =>
  `${JSON.stringify({
    panel_id: roof.panels[i % 10],
    timestamp: new Date(start + Math.floor(i / 10) * quarterMs).toISOString(),
    kwh,
  })}\n`

/** Posts a body as it is made; answers what the server says, or the error of a connection that broke. */
function post(body: Readable, key = installer.key) {
  const request = http.request(`${server.url}/catalog/v1/monitoring/readings`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson; charset=utf-8' },
  })
  const answered = new Promise<{
    status: number
    // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the tests find out
    body: any
  }>((resolve, reject) => {
    request.on('error', reject)
    request.on('response', async (response) => {
      let text = ''
      for await (const chunk of response) text += chunk
      resolve({ status: response.statusCode!, body: JSON.parse(text) })
    })
  })
  body.pipe(request)
  return { request, answered }
}

const stored = async () => {
  const [row] = await database.rows<{ count: number }>('select count(*)::int as count from readings')
  return row!.count
}

test('lines of every kind: each is taken or rejected by its own number', async () => {
  const good = line(0).trim()
  const text = [
    good,
    '',
    '{"panel_id":',
    `${line(1).trim()}\r`,
    '"text"',
    `{"panel_id":"${'ä'.repeat(40_000)}","timestamp":"2026-01-01T00:00:00Z","kwh":1}`,
    `{"panel_id":"${'x'.repeat(60_000)}","timestamp":"2026-01-01T00:00:00Z","kwh":1}`,
    '   ',
    line(2).trim(),
  ].join('\n')
  const bytes = Buffer.from(text)
  // In pieces that cut characters and lines.
  const pieces = Array.from({ length: Math.ceil(bytes.length / 997) }, (_, i) =>
    bytes.subarray(i * 997, (i + 1) * 997),
  )
  const { status, body } = await post(Readable.from(pieces)).answered
  assert.equal(status, 200)
  assert.deepEqual([body.accepted, body.updated, body.rejected_count], [3, 0, 4])
  const messages = body.rejected.map(
    ({ index, message }: { index: number; message: string }) => `${index} ${message}`,
  )
  assert.equal(messages.length, 4)
  assert.match(messages[0], /^2 .*must be an object/)
  assert.match(messages[1], /^4 .*must be an object/)
  assert.match(messages[2], /^5 .*longer than 64 KiB/)
  assert.match(messages[3], /^6 .*no panel/)
  assert.deepEqual((await post(Readable.from([''])).answered).body, {
    accepted: 0,
    updated: 0,
    quarantined: 0,
    rejected: [],
    rejected_count: 0,
  })
})

test('of very many that are wrong the first thousand are shown, and all are counted', async () => {
  const { body } = await post(
    Readable.from(Array.from({ length: 30 }, (_, i) => line(i).repeat(100))),
    dealer.key,
  ).answered
  assert.deepEqual([body.accepted, body.rejected.length, body.rejected_count], [0, 1000, 3000])
  assert.deepEqual([body.rejected[0].index, body.rejected[999].index], [0, 999])
})

const memoryOf = () => {
  const status = readFileSync(`/proc/${server.child.pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)![1]) / 1024
}

test('200,000 lines go through with steady memory, twice, and stand once', {
  skip: process.platform !== 'linux',
}, async () => {
  const lines = 200_000
  function* body() {
    for (let i = 0; i < lines; i += 100) yield Array.from({ length: 100 }, (_, j) => line(i + j)).join('')
  }
  const samples: number[] = []
  const sampling = setInterval(() => samples.push(memoryOf()), 50)
  // Where a slow machine keeps a batch waiting for too long, all is to be sent again.
  const send = async () => {
    let answer = await post(Readable.from(body())).answered
    while (answer.status === 503) answer = await post(Readable.from(body())).answered
    return answer
  }
  const first = await send()
  const firstPeak = Math.max(...samples.splice(0))
  const second = await send()
  clearInterval(sampling)
  assert.deepEqual(first.body, {
    accepted: lines,
    updated: 0,
    quarantined: 0,
    rejected: [],
    rejected_count: 0,
  })
  assert.deepEqual(second.body, first.body)
  assert.equal(await stored(), lines)
  const secondPeak = Math.max(...samples)
  // The body is 22 MB of text, and would be some 100 MB of objects.
  assert.ok(firstPeak < 250, `${firstPeak} MB`)
  assert.ok(secondPeak < firstPeak + 40, `${secondPeak} MB after ${firstPeak} MB`)
  await checkRollUps(database)
})

/** Lines from a number on for as long as they are read. */
const endlessFrom = (from: number) => {
  let sent = 0
  const body = new Readable({
    read() {
      const text = Array.from({ length: 100 }, () => line(from + sent++)).join('')
      setTimeout(() => this.push(text), 1)
    },
  })
  return { body, count: () => sent }
}

test('a key that is revoked meanwhile ends what it sends, and whole batches stand', async () => {
  const { key, secret } = await keyFor(world, installer)
  const before = await stored()
  const { body } = endlessFrom(600_000)
  const { request, answered } = post(body, secret)
  while ((await stored()) === before) await sleep(20)
  await revokeKey(database.db, new Date(), key.id)
  const answer = await answered
  body.unpipe(request)
  body.destroy()
  request.destroy()
  assert.equal(answer.status, 401)
  assert.equal(answer.body.error.code, 'unauthorized')
  const count = await stored()
  assert.ok(count > before)
  assert.equal((count - before) % batchSize, 0)
  await checkRollUps(database)
})

test('a caller who hangs up half-way leaves whole batches behind, and the server as it was', async () => {
  const before = await stored()
  const { body: endless, count: sent } = endlessFrom(300_000)
  const { request, answered } = post(endless)
  const broken = assert.rejects(answered)
  while ((await stored()) === before) await sleep(20)
  endless.unpipe(request)
  endless.destroy()
  request.destroy()
  await broken
  let count = await stored()
  for (let now = -1; now !== count; now = count, await sleep(200), count = await stored());
  assert.ok(count > before && count - before < sent())
  assert.equal((count - before) % batchSize, 0)
  await checkRollUps(database)
  assert.equal((await post(Readable.from([line(300_000)])).answered).body.accepted, 1)
  assert.doesNotMatch(server.output(), /a call failed|"level":50/)
})
