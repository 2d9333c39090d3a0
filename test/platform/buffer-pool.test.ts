import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBufferPool } from '../../src/platform/buffer-pool.ts'

test('a buffer is used again once it, or a part of it, was given back', () => {
  const pool = createBufferPool(16, 128)
  const first = pool.take(20)
  assert.equal(first.length, 32)
  assert.notEqual(pool.take(20), first)
  pool.giveBack(first.subarray(3, 7))
  assert.equal(pool.take(32), first)
})

test('what is given back twice, or was never taken, is nobody else’s', () => {
  const pool = createBufferPool(16, 64)
  const one = pool.take(10)
  pool.giveBack(one)
  pool.giveBack(one)
  assert.notEqual(pool.take(10), pool.take(10))
  const foreign = Buffer.allocUnsafeSlow(16)
  pool.giveBack(foreign)
  pool.giveBack(Buffer.from('of the pool that Node shares'))
  for (let i = 0; i < 3; i++) assert.notEqual(pool.take(16).buffer, foreign.buffer)
})

test('no more lies idle than may', () => {
  const pool = createBufferPool(16, 64)
  const taken = Array.from({ length: 6 }, () => pool.take(16))
  for (const one of taken) pool.giveBack(one)
  const again = new Set(Array.from({ length: 6 }, () => pool.take(16)))
  assert.equal(taken.filter((one) => again.has(one)).length, 4)
  const long = pool.take(17)
  pool.giveBack(long)
  assert.equal(long.length, 0, 'its memory is free at once')
  assert.notEqual(pool.take(17), long, 'one that is more than a quarter of it does not lie idle')
})
