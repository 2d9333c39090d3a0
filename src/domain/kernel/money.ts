import { Big } from 'big.js'
import { DomainError } from './domain-error.ts'

/** An exact decimal number as text, such as money: never a binary fraction. */
export type Decimal = string

/** How exact what is multiplied may be: energy is counted in millionths of a kWh. */
export const finePlaces = 6

/** The most that a line or an invoice may come to: exact as a JSON number, and far from where that ends. */
export const maxMoney = '999999999.99'

/** Two places, half a cent away from zero. */
export function cents(value: Big | Decimal | number): Decimal {
  const text = new Big(value).toFixed(2, Big.roundHalfUp)
  return text === '-0.00' ? '0.00' : text
}

export function amountOf(quantity: Decimal, unitPrice: Decimal): Decimal {
  return cents(new Big(quantity).times(unitPrice))
}

export function sumOf(amounts: readonly Decimal[]): Decimal {
  return cents(amounts.reduce((sum, amount) => sum.plus(amount), new Big(0)))
}

export function minus(from: Decimal, amount: Decimal): Decimal {
  return cents(new Big(from).minus(amount))
}

/** Millionths of a kWh as kWh, without idle zeros. */
export function kwhOf(microkwh: number): Decimal {
  return new Big(microkwh).div(1_000_000).toFixed()
}

/** The same number written in one way, refused where it has more places than can be kept. */
export function exactly(value: Decimal, places: number, name: string): Decimal {
  const number = new Big(value)
  if (!number.round(places).eq(number)) {
    throw new DomainError('invalid', `${name} must have at most ${places} decimal places.`)
  }
  return number.toFixed()
}

const currencies = new Set(Intl.supportedValuesOf('currency').filter(hasCents))

function hasCents(currency: string): boolean {
  const { maximumFractionDigits } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions()
  return maximumFractionDigits === 2
}

/** An ISO 4217 code in capitals; only currencies that have two places can be billed. */
export function currencyOf(code: string): string {
  const currency = code.toUpperCase()
  if (currencies.has(currency)) return currency
  throw new DomainError(
    'invalid',
    'currency must be the three-letter code of a currency with two decimal places, such as USD.',
  )
}

/** The shortest form of a decimal: 42.0000 is 42. */
export const shortest = (value: Decimal): Decimal => new Big(value).toFixed()

export const shortestOrNull = (value: Decimal | null): Decimal | null =>
  value === null ? null : shortest(value)

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const numbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 })

/** 28345.20 → $28,345.20. Exact: text is formatted as it stands. */
export const moneyInWords = (amount: Decimal) => dollars.format(amount as Intl.StringNumericLiteral)
/** 12450.5 → 12,450.5 */
export const numberInWords = (value: Decimal) => numbers.format(value as Intl.StringNumericLiteral)
