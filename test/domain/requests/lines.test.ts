import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addLine, bytesOf, callsIn, newLines } from '../../../src/domain/requests/lines.ts'
import { createNotes } from '../../../src/domain/requests/notes.ts'
import type { Call } from '../../../src/domain/requests/request.ts'

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

test('what is noted is told in its order and reads back from its line, again and again', () => {
  const notes = createNotes()
  for (let round = 0; round < 3; round++) {
    const many = Array.from({ length: 200 }, (_, i) => ({
      ...calls[i % calls.length]!,
      requestId: `r-${round}-${i}`,
    }))
    const noted = [...calls, ...many]
    for (const [i, call] of noted.entries()) notes.add(ownerOf(`key_${i % 7}`), call)
    assert.equal(notes.count, noted.length)
    const lines = newLines()
    const owners: string[] = []
    notes.take((owner, call) => {
      owners.push(owner.keyId)
      addLine(lines, call)
    })
    assert.equal(notes.count, 0)
    assert.deepEqual(callsIn(bytesOf(lines).toString('latin1')), noted)
    assert.deepEqual(
      owners,
      noted.map((_, i) => `key_${i % 7}`),
    )
  }
})

test('a duration is kept to the hundredth of a millisecond', () => {
  const notes = createNotes()
  for (const durationMs of [1.234_567, 1.999, 0.004]) notes.add(ownerOf('key_a'), { ...first, durationMs })
  const lines = newLines()
  notes.take((_owner, call) => addLine(lines, call))
  assert.deepEqual(
    callsIn(bytesOf(lines).toString('latin1')).map(({ durationMs }) => durationMs),
    [1.23, 2, 0],
  )
})
