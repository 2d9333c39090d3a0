import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { renderedBytes } from '../../../../src/domain/deals/renderings/rendered-bytes.ts'
import { asSeenBy, withBaseUrl } from '../../../../src/domain/deals/renderings/rendering.ts'

const words = fc.array(
  fc.oneof(fc.constantFrom('\u0001', '"\u0001/leads/1"', 'é', '日本', '🌞', '{', '\u0002'), fc.string()),
)
const internal = words.map((parts) => `\u0003${parts.join('').replaceAll('\u0003', '')}\u0003`)
const record = fc
  .array(
    fc.oneof(
      words.map((parts) => parts.join('').replaceAll('\u0003', '')),
      internal,
    ),
  )
  .map((parts) => parts.join(''))
const baseUrl = fc.constantFrom('', 'x', 'http://127.0.0.1:3000', 'https://müsli.example/a')

test('bytes are read as the text is that they say', () => {
  fc.assert(
    fc.property(record, baseUrl, fc.constantFrom(null, 'installer', 'dealer'), (text, url, seenBy) => {
      const rendered = renderedBytes(Buffer.from(text), url, seenBy as 'installer' | 'dealer' | null)
      const target = Buffer.alloc(rendered.bytes + 7, '.')
      assert.equal(rendered.writeTo(target, 3), rendered.bytes)
      const seen = seenBy === null ? text : asSeenBy(seenBy as 'installer' | 'dealer', text)
      assert.equal(target.toString(), `...${withBaseUrl(seen, url)}....`)
    }),
    { numRuns: 1_000 },
  )
})
