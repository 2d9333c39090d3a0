import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BeingMoved, createMoves } from '../../../src/platform/citus/moves.ts'

const soon = () => performance.now() + 10_000

test('one of a shard looks for all of it, and all go on when the move is over', async () => {
  const looks: string[] = []
  const moves = createMoves(async (installerId) => looks.push(installerId) === 3, 10_000)
  const waiting = ['ada', 'bob', 'cleo'].map((id) => moves.over(new BeingMoved('7', id), soon()))
  assert.ok(moves.isUnderWay('7') && !moves.isUnderWay('8'))
  assert.deepEqual(await Promise.all(waiting), [true, true, true])
  assert.deepEqual(looks, ['ada', 'ada', 'ada'])
  assert.ok(!moves.isUnderWay('7'))
})

test('nobody waits for longer than they may, nor where too many wait', async () => {
  let canBeWritten = false
  const moves = createMoves(async () => canBeWritten, 60_000)
  const moved = new BeingMoved('7', 'ada')
  assert.equal(await moves.over(moved, performance.now() + 20), false)
  const waiting = Array.from({ length: 1_000 }, () => moves.over(moved, performance.now() + 100))
  assert.equal(await moves.over(moved, soon()), false)
  assert.ok((await Promise.all(waiting)).every((isOver) => !isOver))
  canBeWritten = true
  assert.equal(await moves.over(moved, soon()), true)
})

test('who waits asks for themselves where nobody can look', async () => {
  const moves = createMoves(() => Promise.reject(new Error('lost')), 10_000)
  assert.equal(await moves.over(new BeingMoved('7', 'ada'), soon()), true)
})
