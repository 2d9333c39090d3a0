import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSeenIds } from '../../../../src/domain/data/imports/seen-ids.ts'

test('an id was met the second time and not the first, in a file full of them', () => {
  for (const count of [1, 2, 10_000]) {
    const seen = createSeenIds(count)
    const ids = Array.from({ length: count }, (_, i) => `lead ${i}`)
    for (const met of [false, true]) for (const id of ids) assert.equal(seen.meet(id), met, id)
  }
})
