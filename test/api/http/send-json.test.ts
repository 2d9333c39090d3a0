import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import fastify from 'fastify'
import { sendJson } from '../../../src/api/http/send-json.ts'

const app = fastify()
app.get<{ Querystring: { of: string; records: number; bytes: number } }>('/list', (call, reply) => {
  const { of, records, bytes } = call.query
  const record = JSON.stringify({ of, text: 'é日x'.repeat(Number(bytes) / 6) })
  const parts = Array.from({ length: Number(records) }, (_, i) => (i === 0 ? record : `,${record}`))
  return sendJson(reply, ['[', ...parts, ']'])
})
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
