import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callsIn } from '../../../../src/domain/operations/requests/lines.ts'
import { type Bundle, beginsOf, createNotes } from '../../../../src/domain/operations/requests/notes.ts'
import type { Call } from '../../../../src/domain/operations/requests/request.ts'

const ownerOf = (name: string) => ({ installerId: 'comp_a', companyId: 'comp_b', keyId: name })
const first: Call = {
  at: 1_794_758_000_123,
  method: 'GET',
  route: '/v1/leads/:id',
  path: '/v1/leads/é',
  status: 200,
  durationMs: 3.12,
  bytes: 1834,
  requestId: 'req_1',
}
const calls: Call[] = [
  first,
  { ...first, bytes: null, durationMs: 0, requestId: '' },
  { ...first, at: 1_794_759_000_000, bytes: 0, durationMs: 0.05, status: 500, path: '' },
  { ...first, at: 999_999_999_999, bytes: 1_000_000, durationMs: 120_000.99, method: 'DELETE' },
  { ...first, bytes: 8_388_608, durationMs: 1_000_000, path: `/${'x'.repeat(20_000)}` },
]

const linesOf = ({ batches, lines }: Bundle) => {
  const begins = beginsOf(batches)
  return batches.map(({ bytes }, i) => callsIn(lines.toString('utf8', begins[i], begins[i]! + bytes)))
}

test('each call reads back from its line', () => {
  const notes = createNotes(calls.length)
  for (const [i, call] of calls.entries()) notes.add(ownerOf(`key_${i}`), call)
  assert.deepEqual(linesOf(notes.take()).flat(), calls)
})

test('what is noted reads back from its lines, key by key, again and again', () => {
  const notes = createNotes(1_000)
  for (let round = 0; round < 3; round++) {
    const many = Array.from({ length: 205 }, (_, i) => ({
      ...calls[i % calls.length]!,
      at: first.at + i,
      requestId: `r-${round}-${i}`,
    }))
    for (const [i, call] of many.entries()) notes.add(ownerOf(`key_${i % 7}`), call)
    assert.equal(notes.count, many.length)
    const bundle = notes.take()
    assert.equal(notes.count, 0)
    assert.equal(bundle.calls, many.length)
    assert.deepEqual(
      bundle.batches.map(({ keyId }) => keyId),
      [0, 1, 2, 3, 4, 5, 6].map((i) => `key_${i}`),
    )
    for (const [place, read] of linesOf(bundle).entries()) {
      const those = many.filter((_, i) => i % 7 === place)
      const { calls, failures, lastAt } = bundle.batches[place]!
      assert.deepEqual(read, those)
      assert.equal(calls, those.length)
      assert.equal(failures, those.filter(({ status }) => status >= 400).length)
      assert.equal(lastAt, those.at(-1)!.at)
    }
  }
})

test('a batch ends after 1,000 calls or 5 minutes', () => {
  const notes = createNotes(2_000)
  for (let i = 0; i < 1_001; i++) notes.add(ownerOf('key_a'), first)
  notes.add(ownerOf('key_b'), first)
  notes.add(ownerOf('key_b'), { ...first, at: first.at + 299_999 })
  notes.add(ownerOf('key_b'), { ...first, at: first.at + 300_000 })
  const { batches } = notes.take()
  assert.deepEqual(
    batches.map(({ keyId, calls }) => [keyId, calls]),
    [
      ['key_a', 1_000],
      ['key_a', 1],
      ['key_b', 2],
      ['key_b', 1],
    ],
  )
  assert.equal(new Set(batches.map(({ ordinal }) => ordinal)).size, 4)
})

test('a duration is kept to the hundredth of a millisecond', () => {
  const notes = createNotes(3)
  for (const durationMs of [1.234_567, 1.999, 0.004]) notes.add(ownerOf('key_a'), { ...first, durationMs })
  assert.deepEqual(
    linesOf(notes.take())[0]!.map(({ durationMs }) => durationMs),
    [1.23, 2, 0],
  )
})
