import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDispatcher } from '../../src/jobs/dispatch-events.ts'

test('who asks during a pass gets one that begins after it, together with the others', async () => {
  const gates: PromiseWithResolvers<void>[] = []
  const dispatchMessages = () => {
    const gate = Promise.withResolvers<void>()
    gates.push(gate)
    return gate.promise
  }
  const ask = createDispatcher(dispatchMessages)
  const first = ask('a')
  const others = Promise.all([ask('a'), ask('a'), ask('a')])
  assert.equal(gates.length, 1)
  const elsewhere = ask('b')
  assert.equal(gates.length, 2, 'tenants do not wait for each other')
  gates[1]!.resolve()
  await elsewhere
  gates[0]!.resolve()
  await first
  while (gates.length < 3) await new Promise(setImmediate)
  gates[2]!.resolve()
  await others
  assert.equal(gates.length, 3)
  const later = ask('a')
  gates[3]!.resolve()
  await later
})

test('a pass that fails is the failure of who asked for it; the next one is made', async () => {
  let passes = 0
  const ask = createDispatcher(async () => {
    if (++passes === 1) throw new Error('away')
  })
  const first = ask('a')
  const second = ask('a')
  await assert.rejects(first, /away/)
  await second
  assert.equal(passes, 2)
})
