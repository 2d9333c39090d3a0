import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  amountOf,
  countOf,
  dayOf,
  numberOf,
  percentOf,
} from '../../../../src/domain/data/imports/cell-forms.ts'
import { createColumnForms, plainCell } from '../../../../src/domain/data/imports/column-forms.ts'

test('amounts as people write them', () => {
  const amounts: Record<string, string | null> = {
    '182.50': '182.50',
    '182,50': '182.50',
    '$182.5': '182.50',
    '182,50 €': '182.50',
    '€ 1.234,50': '1234.50',
    '1.234,50': '1234.50',
    '1,234.50': '1234.50',
    '$28,728.50 USD': '28728.50',
    '28 728,50': '28728.50',
    '28\u00a0728,50': '28728.50',
    '28\u202f728,50': '28728.50',
    "28'728.50": '28728.50',
    '1,234': '1234.00',
    '1.234.567': '1234567.00',
    '1,234,567.89': '1234567.89',
    '28728.499999999996': '28728.50',
    '0,5': '0.50',
    '12,34,56': null,
    '1.2.3': null,
    '1,234,5': null,
    '1.234,56.7': null,
    '-5': null,
    '1e9': null,
    'about 5': null,
    '': null,
    '99999999999': null,
  }
  for (const [text, amount] of Object.entries(amounts)) assert.equal(amountOf(text), amount, text)
})

test('numbers with units, counts and percentages', () => {
  const read = [
    numberOf('8,4 kW'),
    numberOf('12,650 kWh'),
    numberOf('12.650,5 kWh'),
    numberOf('8.125'),
    numberOf('kW'),
  ]
  assert.deepEqual(read, ['8.4', '12650', '12650.5', '8.125', null])
  assert.deepEqual(
    [percentOf('5,99 %'), percentOf('5.99%'), percentOf('101'), percentOf('x')],
    ['5.99', '5.99', null, null],
  )
  assert.deepEqual([countOf('20'), countOf('20.0'), countOf('20,0'), countOf('20.5')], [20, 20, 20, null])
})

test('days of every kind, and what is none', () => {
  const days: Record<string, string | null> = {
    '2026-01-31': '2026-01-31',
    '2026-01-31T10:15:00.000Z': '2026-01-31',
    '2026-01-31 10:15': '2026-01-31',
    '2026/1/31': '2026-01-31',
    '1/31/2026': '2026-01-31',
    '01/31/2026 10:15 AM': '2026-01-31',
    '1/31/26': '2026-01-31',
    '31/1/2026': '2026-01-31',
    '31.1.2026': '2026-01-31',
    '31.01.26': '2026-01-31',
    'Jan 31, 2026': '2026-01-31',
    'January 31st, 2026': '2026-01-31',
    '31-Jan-2026': '2026-01-31',
    '31 January 2026': '2026-01-31',
    '1769817600000': '2026-01-31',
    '2/3/2026': '2026-02-03',
    '2026-13-01': null,
    '2026-02-30': null,
    '32/1/2026': null,
    '13/13/2026': null,
    '31 Foo 2026': null,
    '1/31/0026': null,
    soon: null,
    '2026': null,
  }
  for (const [text, day] of Object.entries(days)) assert.equal(dayOf(text), day, text)
})

test('a column shows how it is written: one 31/12 makes 2/3 the second of March, one 182,50 makes 1.234 a thousand', () => {
  const columns = createColumnForms()
  columns.meet(['2/3/2026', '1.234', '2/3/2026', '1,234', 'text'])
  columns.meet(['31/12/2026', '182,50', '12/31/2026', '182.50', ''])
  columns.meet(['', '99', '31/12/2026', '182,50'])
  const forms = columns.forms(6)
  assert.deepEqual(forms, ['day', 'comma', '', '', '', ''])
  assert.equal(dayOf(plainCell('createdOn', '2/3/2026', forms[0]!)), '2026-03-02')
  assert.equal(dayOf(plainCell('createdOn', '2026-03-02', forms[0]!)), '2026-03-02')
  assert.equal(amountOf(plainCell('monthlyBill', '1.234', forms[1]!)), '1234.00')
  assert.equal(amountOf(plainCell('monthlyBill', '€ 1.234,50', forms[1]!)), '1234.50')
  assert.equal(plainCell('notes', '2/3/2026 1.234', 'day comma'), '2/3/2026 1.234')
})
