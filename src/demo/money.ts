import type { Decimal } from '../domain/kernel/money.ts'

/** A whole number of the last of `places` digits as decimal text, without idle zeros: 9020, 3 → 9.02. */
export function decimalOf(value: number | bigint, places: number): Decimal {
  const digits = String(value).padStart(places + 1, '0')
  const fraction = digits.slice(digits.length - places).replace(/0+$/, '')
  const whole = digits.slice(0, digits.length - places)
  return fraction ? `${whole}.${fraction}` : whole
}

export function dollars(cents: number | bigint): Decimal {
  const digits = String(cents).padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}
