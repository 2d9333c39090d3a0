import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { buffers } from '../../src/platform/buffer-pool.ts'
import { splitMessages } from '../../src/platform/long-values.ts'
import { createTestDatabase } from '../support/database.ts'

const database = await createTestDatabase()
const { db } = database
after(() => database.drop())

function message(kind: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.write(kind, 'latin1')
  head.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

test('however a stream is cut, each message goes whole to whom it is for, in its order', () => {
  const one = fc.record({
    kind: fc.constantFrom('D', 'C', 'd', 'T'),
    length: fc.oneof(
      fc.nat(40),
      fc.integer({ min: 8_150, max: 8_230 }),
      fc.integer({ min: 8_192, max: 30_000 }),
    ),
  })
  const cuts = fc.array(fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 100, max: 70_000 })), {
    minLength: 1,
  })
  fc.assert(
    fc.property(fc.array(one, { maxLength: 8 }), cuts, (sent, sizes) => {
      const messages = sent.map(({ kind, length }, i) => message(kind, Buffer.alloc(length, 65 + i)))
      const stream = Buffer.concat(messages)
      const got: string[] = []
      const take = splitMessages(
        (whole) => {
          got.push(whole.toString('latin1'))
        },
        (row) => {
          got.push(message('D', row).toString('latin1'))
          buffers.giveBack(row)
        },
      )
      // What is read next comes in the same memory.
      const memory = Buffer.alloc(70_000)
      for (let at = 0, i = 0; at < stream.length; i++) {
        const length = stream.copy(memory, 0, at, at + sizes[i % sizes.length]!)
        take(memory.subarray(0, length))
        memory.fill(0)
        at += length
      }
      assert.equal(got.join(''), stream.toString('latin1'))
      const long = messages.filter((one) => one[0] === 68 && one.length >= 8_192)
      for (const one of long) assert.ok(got.includes(one.toString('latin1')))
    }),
    { numRuns: 60 },
  )
})

const sentence = 'Größe – 12 kWp 🌞 "quoted"\n'
const text =
  'select repeat($1::text, $2::int) as long, $1::text as short, null::text as none, now() as at, 7::int8 as n'
const kinds =
  'select jsonb_build_object($3::text, repeat($1::text, $2::int)) as json, convert_to(repeat($1::text, $2::int), $4) as bytes, array_fill($1::text, array[$2::int]) as texts'

test('long values are what they would be if they were short, beside others on the same connection', async () => {
  const times = [1, 10, 400, 5_000, 20_000, 2]
  for (const shared of ['read', undefined] as const) {
    await Promise.all(
      [...times, ...times].map(async (n) => {
        const options = shared ? { shared } : {}
        const [row] = await db.query<Record<string, unknown>>({ text, ...options }, [sentence, n])
        assert.equal(row!['long'], sentence.repeat(n))
        assert.deepEqual([row!['short'], row!['none'], row!['n']], [sentence, null, 7])
        assert.ok(row!['at'] instanceof Date)
        const [other] = await db.query<Record<string, unknown>>({ text: kinds, ...options }, [
          sentence,
          n,
          'a',
          'UTF8',
        ])
        assert.deepEqual(other!['json'], { a: sentence.repeat(n) })
        assert.equal(String(other!['bytes']), sentence.repeat(n))
        assert.deepEqual(other!['texts'], Array(n).fill(sentence))
      }),
    )
  }
})

test('text that is asked for as bytes stays what it is while others are read, long or short', async () => {
  const times = Array.from({ length: 40 }, (_, i) => (i * 97) % 3_000)
  const asBytes = { text, textAsBytes: true } as const
  const ask = async (n: number, i: number) => {
    const statement = i % 2 ? { ...asBytes, shared: 'read' as const } : asBytes
    const [row] = await db.query<{ long: Buffer; short: Buffer; none: null }>(statement, [`${n}é`, n])
    return row!
  }
  const rows = await Promise.all(times.map(ask))
  for (const [i, { long, short, none }] of rows.entries()) {
    assert.equal(long.toString(), `${times[i]}é`.repeat(times[i]!))
    assert.equal(short.toString(), `${times[i]}é`)
    assert.equal(none, null)
  }
  const within = await db.transaction((tx) => tx.query<{ long: Buffer }>(asBytes, ['in one', 3_000]))
  assert.equal(within[0]!.long.toString(), 'in one'.repeat(3_000))
})

test('what fails in the middle of long rows fails alone', async () => {
  const failing = {
    text: `select repeat('x', 50000) as long, 1 / (3 - n) as n from generate_series(1, 5) n`,
    shared: 'read' as const,
  }
  const results = await Promise.allSettled([
    db.query({ text, shared: 'read' }, [sentence, 3_000]),
    db.query(failing, []),
    db.query<{ long: string }>({ text, shared: 'read' }, [sentence, 3_000]),
  ])
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
})
