import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { kwhText, microkwhOf } from '../../../../src/domain/sites/energy/energy.ts'
import { instantOf } from '../../../../src/domain/sites/energy/reading.ts'

test('timestamps are read as Temporal reads them, to the millisecond', () => {
  const offset = fc.constantFrom('Z', 'z', '+00:00', '-07:00', '+05:30', '+1245', '-03')
  const fraction = fc.constantFrom('', '.1', '.123', '.123456789', ',5')
  const days = fc.date({ min: new Date('1999-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(days, fraction, offset, (date, part, zone) => {
      const text = `${date.toISOString().slice(0, 19)}${part}${zone}`
      assert.equal(instantOf(text), Temporal.Instant.from(text.toUpperCase()).epochMilliseconds, text)
    }),
  )
  for (const text of [
    '',
    '2026-01-01',
    '2026-01-01T00:00:00',
    '2026-13-01T00:00:00Z',
    '2026-02-29T00:00:00Z',
    '2026-01-01 00:00:00Z',
    '2026-01-01T00:00:60Z',
    '2026-01-01T00:60:00Z',
    '2026-00-01T00:00:00Z',
    '2026-02-30T00:00:00.000Z',
    '2026-04-31T00:00:00+02:00',
    '12026-01-01T00:00:00Z',
  ])
    assert.equal(instantOf(text), null, text)
  assert.equal(instantOf('2024-02-29T08:30+01'), Date.UTC(2024, 1, 29, 7, 30))
})

test('what has six decimals is kept to the last one', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000_000_000 }), (micro) => {
      assert.equal(microkwhOf(micro / 1e6), micro)
      assert.equal(Number(kwhText(micro)), micro / 1e6)
    }),
  )
  assert.deepEqual([0, 1, 500_000, 1_000_000, 12_340_000, 10n ** 20n].map(kwhText), [
    '0',
    '0.000001',
    '0.5',
    '1',
    '12.34',
    '100000000000000',
  ])
})
