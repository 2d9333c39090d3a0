import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHandingOut } from '../../src/jobs/hand-out-events.ts'

test('who asks during a pass gets one that begins after it, together with the others', async () => {
  const gates: PromiseWithResolvers<boolean>[] = []
  const handOut = () => {
    const gate = Promise.withResolvers<boolean>()
    gates.push(gate)
    return gate.promise
  }
  const ask = createHandingOut(handOut, new AbortController().signal)
  const first = ask('a')
  const others = Promise.all([ask('a'), ask('a'), ask('a')])
  assert.equal(gates.length, 1)
  const elsewhere = ask('b')
  assert.equal(gates.length, 2, 'tenants do not wait for each other')
  gates[1]!.resolve(false)
  await elsewhere
  gates[0]!.resolve(true)
  await new Promise(setImmediate)
  assert.equal(gates.length, 3, 'there was more')
  gates[2]!.resolve(false)
  await first
  while (gates.length < 4) await new Promise(setImmediate)
  gates[3]!.resolve(false)
  await others
  assert.equal(gates.length, 4)
  const later = ask('a')
  gates[4]!.resolve(false)
  await later
})

test('a pass that fails is the failure of who asked for it; the next one is made', async () => {
  let passes = 0
  const ask = createHandingOut(async () => {
    if (++passes === 1) throw new Error('away')
    return false
  }, new AbortController().signal)
  const first = ask('a')
  const second = ask('a')
  await assert.rejects(first, /away/)
  await second
  assert.equal(passes, 2)
})
