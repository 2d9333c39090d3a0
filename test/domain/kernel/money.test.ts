import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { pricedLines, totalOf } from '../../../src/domain/billing/invoices/line-items.ts'
import { rateAfter } from '../../../src/domain/billing/plans/plan.ts'
import { amountOf, cents, currencyOf, exactly, kwhOf, sumOf } from '../../../src/domain/kernel/money.ts'

/** A whole number of millionths as decimal text. */
function fine(millionths: bigint): string {
  const digits = (millionths < 0n ? -millionths : millionths).toString().padStart(7, '0')
  return `${millionths < 0n ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`
}

function centsText(value: bigint): string {
  const digits = (value < 0n ? -value : value).toString().padStart(3, '0')
  return `${value < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** Divides and rounds half away from zero, in whole numbers. */
function rounded(value: bigint, by: bigint): bigint {
  const size = value < 0n ? -value : value
  const whole = (2n * size + by) / (2n * by)
  return value < 0n ? -whole : whole
}

const quantity = fc.bigInt(-(10n ** 12n), 10n ** 12n)
const price = fc.bigInt(-(10n ** 9n), 10n ** 9n)
// With any quantity of the above a single line stays below what may be billed.
const belowMost = fc.bigInt(-(9n * 10n ** 8n), 9n * 10n ** 8n)

test('a line is quantity by price, as whole-number arithmetic has it', () => {
  fc.assert(
    fc.property(quantity, price, (q, p) => {
      assert.equal(amountOf(fine(q), fine(p)), centsText(rounded(q * p, 10n ** 10n)))
    }),
    { numRuns: 2000 },
  )
})

test('sums are exact, whatever the order', () => {
  fc.assert(
    fc.property(fc.array(fc.bigInt(-(10n ** 11n), 10n ** 11n), { maxLength: 200 }), (values) => {
      const sum = centsText(values.reduce((a, b) => a + b, 0n))
      assert.equal(sumOf(values.map(centsText)), sum)
      assert.equal(sumOf(values.map(centsText).reverse()), sum)
    }),
    { numRuns: 300 },
  )
})

test('a number that came by JSON is the decimal that was written', () => {
  fc.assert(
    fc.property(fc.integer({ min: -(10 ** 15), max: 10 ** 15 }), (millionths) => {
      const text = fine(BigInt(millionths))
      const number = JSON.parse(text) as number
      assert.equal(exactly(String(number), 6, 'x'), exactly(text, 6, 'x'))
    }),
    { numRuns: 2000 },
  )
})

test('the total of any lines is what whole-number arithmetic has, or refused below zero', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(quantity, belowMost), { minLength: 1, maxLength: 40 }), (lines) => {
      const expected = lines.reduce((sum, [q, p]) => sum + rounded(q * p, 10n ** 10n), 0n)
      const total = () =>
        totalOf(
          pricedLines(
            lines.map(([q, p]) => ({
              description: 'x',
              quantity: fine(q),
              unit: 'each',
              unitPrice: fine(p),
            })),
          ),
        )
      if (expected < 0n) assert.throws(total, /cannot be below zero/)
      else if (expected > 99_999_999_999n) assert.throws(total, /at most 999999999.99/)
      else assert.equal(total(), centsText(expected))
    }),
    { numRuns: 500 },
  )
})

test('half a cent goes away from zero, and what binary fractions get wrong is right', () => {
  assert.equal(cents('1.005'), '1.01')
  assert.equal(cents('-1.005'), '-1.01')
  assert.equal(amountOf('3', '0.335'), '1.01')
  assert.equal(amountOf('1.15', '100'), '115.00')
  assert.equal(sumOf(['0.10', '0.20']), '0.30')
  assert.equal(kwhOf(1_234_567), '1.234567')
  assert.equal(kwhOf(-500_000), '-0.5')
})

test('too many places, too much money and odd currencies are refused with what to change', () => {
  assert.throws(() => exactly('0.1234567', 6, 'rate'), /rate must have at most 6 decimal places/)
  assert.throws(() => exactly('1e-7', 6, 'rate'), /at most 6/)
  const line = { description: 'x', quantity: '1000000000', unit: 'each', unitPrice: '1000000000' }
  assert.throws(() => pricedLines([line]), /lineItems\[0\] comes to/)
  assert.equal(currencyOf('eur'), 'EUR')
  for (const code of ['JPY', 'KWD', 'XXQ', 'US'])
    assert.throws(() => currencyOf(code), /two decimal places/, code)
})

test('the escalator compounds from the first rate and is rounded once', () => {
  const terms = { kind: 'ppa' as const, rate: '0.13', escalatorPercent: '2.9' }
  const exact = (years: number) => {
    const scaled = 130_000n * 1029n ** BigInt(years)
    return rounded(scaled, 1000n ** BigInt(years))
  }
  for (let years = 0; years <= 40; years++) {
    assert.equal(rateAfter(terms, years), exactly(fine(exact(years)), 6, 'rate'), `year ${years}`)
  }
  assert.equal(rateAfter({ kind: 'lease', rate: '99.99', escalatorPercent: '3' }, 1), '102.99')
  assert.equal(rateAfter({ kind: 'ppa', rate: '0.2', escalatorPercent: '-10' }, 2), '0.162')
})
