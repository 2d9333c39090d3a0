import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createJsonMeter } from '../../../src/api/http/json-meter.ts'

/** Every value, and each empty list or object once more: there is no comma to tell that it holds nothing. */
function valuesOf(value: unknown): number {
  if (value === null || typeof value !== 'object') return 1
  const inside = Object.values(value)
  return inside.length === 0 ? 2 : inside.reduce<number>((sum, one) => sum + valuesOf(one), 1)
}

function depthOf(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

/** Whether the bytes pass, given in pieces of so many. */
function passes(text: string, bounds: { maxValues: number; maxDepth: number }, piece: number): boolean {
  const meter = createJsonMeter(bounds)
  const bytes = Buffer.from(text)
  try {
    for (let i = 0; i < bytes.length; i += piece) meter.add(bytes.subarray(i, i + piece))
    return true
  } catch {
    return false
  }
}

const text = fc.string({
  unit: fc.constantFrom('"', '\\', ',', '{', '[', ']', '}', 'é', '\n', 'plain text'),
  maxLength: 40,
})
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.integer(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(text, tie('value'), { maxKeys: 4 }),
  ),
})).value

test('what a body holds is counted as it is parsed, in whatever pieces it comes', () => {
  fc.assert(
    fc.property(value, fc.integer({ min: 1, max: 300 }), (body, piece) => {
      const json = JSON.stringify(body)
      const parsed = JSON.parse(json)
      const depth = Math.max(1, depthOf(parsed))
      const maxValues = valuesOf(parsed)
      assert.ok(passes(json, { maxValues, maxDepth: depth }, piece), json)
      if (maxValues > 1) assert.ok(!passes(json, { maxValues: maxValues - 1, maxDepth: depth }, piece), json)
      if (depth > 1) assert.ok(!passes(json, { maxValues, maxDepth: depth - 1 }, piece), json)
    }),
  )
})

test('a hostile body is refused at its first values, whatever follows', () => {
  const bounds = { maxValues: 100, maxDepth: 16 }
  const tooMany = /more than 100 values/
  const hostile: [string, RegExp][] = [
    [`[${'{},'.repeat(200)}`, tooMany],
    [`{${'"a":1,'.repeat(200)}`, tooMany],
    ['['.repeat(17), /nested too deep/],
    [`{"a":"${'\\"'.repeat(5_000)}",${'1,'.repeat(200)}`, tooMany],
  ]
  for (const [body, message] of hostile) {
    assert.throws(() => createJsonMeter(bounds).add(Buffer.from(body)), message)
  }
  createJsonMeter(bounds).add(Buffer.from(`{"a":"${'[{,'.repeat(100_000)}\\\\"}`))
})
