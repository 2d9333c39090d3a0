import { Big } from 'big.js'
import Type from 'typebox'
import { type Decimal, exactly } from '../../domain/kernel/money.ts'

/** A number of at most so many whole digits and decimal places. */
export const decimalNumber = (whole: number, places: number, description: string, minimum = 0) =>
  Type.Unsafe<number | null>({
    type: ['number', 'null'],
    minimum,
    maximum: Number(`${'9'.repeat(whole)}.${'9'.repeat(places)}`),
    description: `${description}; at most ${places} decimal places`,
  })

/** As the domain keeps it; refused where it has more places than can be kept. */
export function decimalOf(value: number | null | undefined, places: number, field: string): Decimal | null {
  return value === null || value === undefined ? null : exactly(new Big(value).toFixed(), places, field)
}

/** The same with two places. */
export function moneyOf(value: number | null | undefined, field: string): Decimal | null {
  const exact = decimalOf(value, 2, field)
  return exact === null ? null : new Big(exact).toFixed(2)
}
