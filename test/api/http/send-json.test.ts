import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { test } from 'node:test'
import fastify from 'fastify'
import type { Caller } from '../../../src/api/http/authenticate.ts'
import { answerError } from '../../../src/api/http/errors.ts'
import { sendJson } from '../../../src/api/http/send-json.ts'

const app = fastify()
app.get<{ Querystring: { of: string; records: number; bytes: number } }>('/list', (call, reply) => {
  const { of, records, bytes } = call.query
  const record = JSON.stringify({ of, text: 'é日x'.repeat(Number(bytes) / 6) })
  const parts = Array.from({ length: Number(records) }, (_, i) => (i === 0 ? record : `,${record}`))
  return sendJson(reply, ['[', ...parts, ']'])
})
app.decorateRequest('caller', null)
app.get<{ Querystring: { whose: string } }>('/long', (call, reply) => {
  const { whose } = call.query
  call.caller = { actor: { installerId: whose, companyId: whose } } as Caller
  return sendJson(reply, JSON.stringify('x'.repeat(24 * 1_048_576)))
})
app.setErrorHandler((error, request, reply) => answerError(error, request, reply, (code) => code))
const address = await app.listen({ port: 0, host: '127.0.0.1' })

interface Item {
  of: string
  text: string
}

async function list(of: string, records: number, bytes: number): Promise<Item[]> {
  const answer = await fetch(`${address}/list?of=${of}&records=${records}&bytes=${bytes}`)
  assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
  return (await answer.json()) as Item[]
}

/** Asks for much, reads a little of it, and goes away. */
async function giveUp(): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const asking = request(`${address}/list?of=gone&records=100&bytes=3000`, (answer) => {
    answer.once('data', () => {
      answer.destroy()
      resolve()
    })
  })
  asking.on('error', reject)
  asking.end()
  await promise
}

test('many answers at once, some of them given up, are each their own', async () => {
  for (let round = 0; round < 5; round++) {
    const asked = Array.from({ length: 24 }, async (_, i) => {
      if (i % 4 === 3) return giveUp()
      const [of, records, bytes] = [`${round}-${i}`, 1 + i * 4, 600 + i * 120]
      const items = await list(of, records, bytes)
      assert.equal(items.length, records)
      for (const item of items) {
        assert.equal(item.of, of)
        assert.equal(Buffer.byteLength(item.text), bytes)
      }
    })
    await Promise.all(asked)
  }
})

test('who does not take long answers fills its own company’s room, until it hangs up', async () => {
  const { hostname, port } = new URL(address)
  const sockets = await Promise.all(
    [1, 2].map(async () => {
      const socket = connect(Number(port), hostname)
      socket.write('GET /long?whose=a HTTP/1.1\r\nhost: x\r\n\r\n')
      await once(socket, 'readable')
      return socket
    }),
  )
  const ask = async (whose: string) => {
    const answer = await fetch(`${address}/long?whose=${whose}`)
    await answer.arrayBuffer()
    return answer
  }
  const refused = await ask('a')
  assert.equal(refused.status, 503)
  assert.match(refused.headers.get('retry-after')!, /^[1-9]\d*$/)
  assert.equal((await ask('b')).status, 200)
  for (const socket of sockets) socket.destroy()
  while ((await ask('a')).status !== 200);
})

test('what is larger than the buffer comes whole', async () => {
  for (const [records, bytes] of [
    [3, 300_000],
    [1, 600_000],
    [200, 12_000],
  ] as const) {
    const items = await list('large', records, bytes)
    assert.equal(items.length, records)
    for (const { text } of items) assert.equal(text, 'é日x'.repeat(bytes / 6))
  }
})

test('nothing is nothing', async () => {
  assert.deepEqual(await list('none', 0, 0), [])
  await app.close()
})
