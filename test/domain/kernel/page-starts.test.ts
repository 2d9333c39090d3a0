import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createStartedPages, type Start } from '../../../src/domain/kernel/page-starts.ts'

let nowMs = 0
const startedPage = createStartedPages(() => nowMs)

/** From where a page of a list of numbers was counted down to, each time that it was asked for. */
async function startsOf(list: string, before: number, told: { total: number; changes: number | null }) {
  const starts: (number | null)[] = []
  const ask = async ({ before: there, key }: Start) => {
    starts.push(key ? there : null)
    return { ...told, first: before < told.total ? [before] : null }
  }
  await startedPage(list, before, ask)
  return starts
}

test('a page is counted down to from the nearest before it, and from the beginning once the list has changed', async () => {
  const told = { total: 900, changes: 3 }
  assert.deepEqual(await startsOf('a', 100, told), [null])
  assert.deepEqual(await startsOf('a', 200, told), [100])
  assert.deepEqual(await startsOf('a', 150, told), [100])
  assert.deepEqual(await startsOf('a', 50, told), [null])
  assert.deepEqual(await startsOf('b', 200, told), [null])
  assert.deepEqual(await startsOf('a', 300, { total: 900, changes: 4 }), [200, null])
  assert.deepEqual(await startsOf('a', 400, { total: 900, changes: 4 }), [300])
  assert.deepEqual(await startsOf('a', 500, { total: 901, changes: 4 }), [400, null])
  assert.deepEqual(await startsOf('a', 5_000, { total: 901, changes: 4 }), [500])
})

test('nothing is remembered where it is not known how often it changed, nor anything for longer than a minute', async () => {
  const told = { total: 900, changes: 1 }
  await startsOf('c', 100, told)
  assert.deepEqual(await startsOf('c', 200, { total: 900, changes: null }), [100, null])
  assert.deepEqual(await startsOf('c', 200, told), [null])
  nowMs += 40_000
  assert.deepEqual(await startsOf('c', 300, told), [200])
  nowMs += 20_000
  assert.deepEqual(await startsOf('c', 400, told), [null])
})
