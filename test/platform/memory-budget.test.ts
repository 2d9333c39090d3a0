import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QueueBusy } from '../../src/platform/fair-queue.ts'
import { createMemoryBudget } from '../../src/platform/memory-budget.ts'

let time = 0
const make = () =>
  createMemoryBudget({ max: { all: 100, group: 60, owner: 40 }, maxHoldMs: 60_000, now: () => time })
const wait = (work: () => void) => {
  try {
    work()
  } catch (error) {
    if (error instanceof QueueBusy) return error.retryAfterSeconds
    throw error
  }
  return null
}

test('an owner, a group and all together fill their own part, and what is let go can be taken', () => {
  const room = make()
  const first = room.hold({ group: 'a', owner: 'a1' })
  first.grow(30)
  assert.throws(() => room.hold({ group: 'a', owner: 'a1' }).grow(11), QueueBusy)
  room.hold({ group: 'a', owner: 'a2' }).grow(30)
  assert.throws(() => room.hold({ group: 'a', owner: 'a3' }).grow(1), QueueBusy)
  room.hold({ group: 'b', owner: 'b1' }).grow(40)
  assert.throws(() => room.hold({ group: 'c', owner: 'c1' }).grow(1), QueueBusy)
  first.shrink(10)
  room.hold({ group: 'c', owner: 'c1' }).grow(10)
  first.letGo()
  first.letGo()
  room.hold({ group: 'c', owner: 'c1' }).grow(20)
  assert.throws(() => room.hold({ group: 'c', owner: 'c1' }).grow(1), QueueBusy)
})

test('the wait that is named follows from how long the room has been held by who stands in the way', () => {
  const room = make()
  time = 0
  room.hold({ group: 'b', owner: 'b1' }).grow(40)
  time = 10_000
  room.hold({ group: 'a', owner: 'a1' }).grow(40)
  const more = () => room.hold({ group: 'a', owner: 'a1' }).grow(1)
  assert.equal(wait(more), 1)
  time = 30_000
  assert.ok(wait(more)! >= 10 && wait(more)! <= 20)
  time = 1_000_000
  assert.equal(wait(more), 1)
})
