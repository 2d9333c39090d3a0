import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { amountOf } from '../../src/domain/kernel/money.ts'
import { decimalOf, lineCents, typedDecimal } from '../../web/pages/billing/line-amount.ts'

const decimal = fc
  .tuple(fc.boolean(), fc.nat(999_999_999), fc.nat(999_999), fc.nat(6))
  .map(([below, whole, rest, places]) => {
    const fraction = String(rest).padStart(6, '0').slice(0, places)
    return `${below ? '-' : ''}${whole}${fraction && `.${fraction}`}`
  })

test('a line comes to what the server makes of it, whatever is typed', () => {
  for (const [quantity, price] of [
    ['1', '0.005'],
    ['1', '-0.005'],
    ['-1', '0.004999'],
    ['1125.123456', '0.13'],
  ] as const)
    assert.equal(decimalOf(lineCents(quantity, price)), amountOf(quantity, price))
  fc.assert(
    fc.property(decimal, decimal, (quantity, price) => {
      assert.equal(decimalOf(lineCents(quantity, price)), amountOf(quantity, price))
    }),
  )
})

test('what is typed is read as people write it, or not at all', () => {
  assert.equal(typedDecimal(' $1,234.50 '), '1234.50')
  assert.equal(typedDecimal('-.5'), '-0.5')
  for (const text of ['', 'x', '1e3', '1.2.3', '0.1234567', '12345678901', '--1'])
    assert.equal(typedDecimal(text), null, text)
})
