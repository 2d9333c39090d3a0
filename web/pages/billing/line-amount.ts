const places = 6
const form = /^(-?)(\d{1,9})(?:\.(\d{1,6}))?$/

/** What was typed as a number that a line may have, in plain form; null where it is none. */
export function typedDecimal(text: string): string | null {
  const plain = text.replace(/[\s$,]/g, '').replace(/^(-?)\./, '$10.')
  return form.test(plain) ? plain : null
}

/** In millionths. */
function fine(decimal: string): bigint {
  const [, sign, whole, rest = ''] = form.exec(decimal)!
  const value = BigInt(whole! + rest.padEnd(places, '0'))
  return sign === '-' ? -value : value
}

const centsIn = 10n ** BigInt(2 * places - 2)

/** What a line comes to in cents, half a cent away from zero: as the server computes it. */
export function lineCents(quantity: string, unitPrice: string): bigint {
  const product = fine(quantity) * fine(unitPrice)
  const rounded = ((product < 0n ? -product : product) + centsIn / 2n) / centsIn
  return product < 0n ? -rounded : rounded
}

export function decimalOf(cents: bigint): string {
  const text = String(cents < 0n ? -cents : cents).padStart(3, '0')
  return `${cents < 0n ? '-' : ''}${text.slice(0, -2)}.${text.slice(-2)}`
}
