import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { snapshotOf, snapshotOfRecord } from '../../../../src/domain/journal/events/previous.ts'

const name = fc.stringMatching(/^[a-z][a-zA-Z_]{0,8}$/)
const record = fc.dictionary(name, fc.jsonValue({ maxDepth: 3 }), {
  minKeys: 1,
  maxKeys: 8,
  noNullPrototype: true,
})

test('of two readings those fields are said that differ, as they were, by text as by value', () => {
  fc.assert(
    fc.property(record, record, (some, other) => {
      const was = JSON.parse(JSON.stringify(some))
      const now = JSON.parse(JSON.stringify({ ...some, ...other }))
      const byText = snapshotOf(JSON.stringify(now), JSON.stringify(was), false)
      const byValue = snapshotOfRecord(now, was)
      assert.deepEqual(JSON.parse(byText.previous), JSON.parse(byValue.previous))
      assert.equal(byText.fields, byValue.fields)
      assert.deepEqual(JSON.parse(`{${byText.fields}}`), now)
    }),
    { numRuns: 300 },
  )
})

test('texts that look like the end of something do not end it', () => {
  const odd = '{"a":"}],\\"b\\":{\\\\","b":[{"c":"]"}],"updatedAt":"1","d":{}}'
  const now = '{"a":"x","b":[{"c":"]"}],"updatedAt":"2","d":{}}'
  assert.deepEqual(JSON.parse(snapshotOf(now, odd, true).previous), { a: JSON.parse(odd).a })
  assert.equal(JSON.parse(`{${snapshotOf(now, null, true).fields}}`).erased, true)
  assert.equal(snapshotOf(now, null, false).previous, '{}')
})
