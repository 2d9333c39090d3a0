import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Counted, createAttemptLimits } from '../../src/platform/attempt-limits.ts'
import { networkOf } from '../../src/platform/network.ts'

const rule = { free: 3, firstWaitMs: 1_000, maxWaitMs: 8_000, forgetMs: 60_000 }

function limits(max?: number) {
  let time = 0
  const counted = createAttemptLimits(() => time, max)
  return {
    pass: (ms: number) => {
      time += ms
    },
    /** How long it has to wait; zero where it was let through. */
    tryOnce(key: string, outcome?: 'right' | 'void', options: Partial<Counted> = {}) {
      const begun = counted.begin([{ key, rule, clearedByRight: true, ...options }])
      if ('waitMs' in begun) return begun.waitMs
      if (outcome) begun.attempt[outcome]()
      return 0
    },
    begin: counted.begin,
  }
}

test('waits double up to the longest, and who comes too early neither passes nor waits longer', () => {
  const { tryOnce, pass } = limits()
  for (let i = 0; i < 4; i++) assert.equal(tryOnce('a'), 0)
  const waits = []
  for (let i = 0; i < 5; i++) {
    const wait = tryOnce('a')
    waits.push(wait)
    pass(wait - 1)
    assert.equal(tryOnce('a'), 1)
    pass(1)
    assert.equal(tryOnce('a'), 0)
  }
  assert.deepEqual(waits, [1_000, 2_000, 4_000, 8_000, 8_000])
  assert.equal(tryOnce('b'), 0)
})

test('what is under way counts as wrong until it is known', () => {
  const { begin, tryOnce } = limits()
  const begun = Array.from({ length: 10 }, () => begin([{ key: 'a', rule, clearedByRight: true }]))
  assert.equal(begun.filter((one) => 'attempt' in one).length, 4)
  for (const one of begun) if ('attempt' in one) one.attempt.void()
  for (let i = 0; i < 4; i++) assert.equal(tryOnce('a'), 0)
  assert.notEqual(tryOnce('a'), 0)
})

test('a right try clears what it says it clears, and is given back elsewhere', () => {
  const { tryOnce } = limits()
  for (let i = 0; i < 3; i++) tryOnce('a')
  tryOnce('a', 'right')
  for (let i = 0; i < 4; i++) assert.equal(tryOnce('a'), 0)

  for (let i = 0; i < 3; i++) tryOnce('shared')
  for (let i = 0; i < 5; i++) assert.equal(tryOnce('shared', 'right', { clearedByRight: false }), 0)
  assert.equal(tryOnce('shared'), 0)
  assert.notEqual(tryOnce('shared'), 0)
})

test('failures are forgotten one by one', () => {
  const { tryOnce, pass } = limits()
  for (let i = 0; i < 4; i++) tryOnce('a')
  pass(60_000)
  assert.equal(tryOnce('a'), 0)
  assert.equal(tryOnce('a'), 1_000)
  pass(600_000)
  for (let i = 0; i < 4; i++) assert.equal(tryOnce('a'), 0)
})

test('others that try a little do not push out who waits', () => {
  const { tryOnce } = limits(50)
  for (let i = 0; i < 4; i++) tryOnce('attacker')
  for (let i = 0; i < 1_000; i++) tryOnce(`other-${i}`)
  assert.notEqual(tryOnce('attacker'), 0)
})

test('addresses of one household count as one', () => {
  assert.equal(networkOf('203.0.113.7'), '203.0.113.7')
  assert.equal(networkOf('::ffff:203.0.113.7'), '203.0.113.7')
  assert.equal(networkOf('2001:db8:1:2:3:4:5:6'), networkOf('2001:DB8:1:2::1'))
  assert.notEqual(networkOf('2001:db8:1:2::1'), networkOf('2001:db8:1:3::1'))
  assert.equal(networkOf('nonsense'), 'nonsense')
})
