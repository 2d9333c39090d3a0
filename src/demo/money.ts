import type { Decimal } from '../domain/leads/lead.ts'

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

const scale = 10n ** 18n

/** The level payment of a loan, in cents. In scaled integers, so that it is the same on every machine. */
export function monthlyPaymentCents(amountCents: number, aprHundredths: number, months: number): bigint {
  const rate = (BigInt(aprHundredths) * scale) / 120_000n
  if (rate === 0n) return divideRounded(BigInt(amountCents), BigInt(months))
  let growth = scale
  for (let month = 0; month < months; month++) growth = (growth * (scale + rate)) / scale
  return divideRounded(BigInt(amountCents) * rate * growth, (growth - scale) * scale)
}

function divideRounded(value: bigint, by: bigint): bigint {
  return (value + by / 2n) / by
}
