import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseInstant } from '../../src/platform/iso-8601.ts'

const same = '2026-01-31T08:00:00.000Z'

test('every form of one instant is that instant', () => {
  for (const text of [
    '2026-01-31T08:00:00Z',
    '2026-01-31t08:00:00z',
    '2026-01-31T08:00:00.000Z',
    '2026-01-31T08:00:00,000000000Z',
    '2026-01-31T08:00Z',
    '2026-01-31T08Z',
    '20260131T080000Z',
    '20260131T0800Z',
    '20260131T08Z',
    '20260131T080000.0Z',
    '2026-031T08:00:00Z',
    '2026031T080000Z',
    '2026-W05-6T08:00:00Z',
    '2026W056T080000Z',
    '2026-01-31T10:00:00+02:00',
    '2026-01-31T10:00:00+0200',
    '2026-01-31T10:00:00+02',
    '20260131T100000+0200',
    '2026-01-31T02:30:00-05:30',
    '2026-01-31T02:30:00−05:30',
    '2026-01-30T24:00:00-08:00',
    '2026-01-31T07.5+00:30',
    '2026-01-31T07:59.5Z',
  ]) {
    const found = parseInstant(text)
    const half = text.includes('.5Z')
    const expected = text.includes('07.5')
      ? '2026-01-31T07:00:00.000Z'
      : half
        ? '2026-01-31T07:59:30.000Z'
        : same
    assert.equal(found === null ? null : new Date(found).toISOString(), expected, text)
  }
})

test('fractions are cut to milliseconds, leap seconds and the last week of a year are there', () => {
  const at = (text: string) => new Date(parseInstant(text)!).toISOString()
  assert.equal(at('2026-01-31T08:00:00.1239999Z'), '2026-01-31T08:00:00.123Z')
  assert.equal(at('2026-01-31T08:00:00.29Z'), '2026-01-31T08:00:00.290Z')
  assert.equal(at('2016-12-31T23:59:60Z'), '2017-01-01T00:00:00.000Z')
  assert.equal(at('2026-W53-7T00:00Z'), '2027-01-03T00:00:00.000Z')
  assert.equal(at('2024-366T00:00Z'), '2024-12-31T00:00:00.000Z')
  assert.equal(at('2024-02-29T00:00Z'), '2024-02-29T00:00:00.000Z')
  assert.equal(at('0099-01-01T00:00Z'), '0099-01-01T00:00:00.000Z')
})

test('what is no timestamp, or says no offset, is none', () => {
  for (const text of [
    '',
    '2026-01-31',
    '2026-01-31T08:00:00',
    '2026-01-31T08:00:00 02:00',
    '2026-01-31 08:00:00Z',
    '2026-02-30T08:00:00Z',
    '2026-13-01T08:00:00Z',
    '2026-00-10T08:00:00Z',
    '2026-000T08:00:00Z',
    '2026-366T08:00:00Z',
    '2025-W53-1T08:00:00Z',
    '2026-W00-1T08:00:00Z',
    '2026-W05-8T08:00:00Z',
    '2026-01-31T25:00:00Z',
    '2026-01-31T24:00:01Z',
    '2026-01-31T08:60:00Z',
    '2026-01-31T08:00:60Z',
    '2026-01-31T08:00:61Z',
    '2026-01-31T08:00:00+24:00',
    '2026-01-31T08:00:00+02:60',
    '2026-01T08:00:00Z',
    '1769846400',
    'now',
    `2026-01-31T08:00:00.${'1'.repeat(100)}Z`,
  ])
    assert.equal(parseInstant(text), null, text)
})
