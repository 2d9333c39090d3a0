/** What was typed as an exact number in plain form; null where it is none. */
export function typedNumber(text: string): string | null {
  const plain = text.replace(/[\s$,%]/g, '').replace(/^\./, '0.')
  return /^\d+(\.\d+)?$/.test(plain) ? plain : null
}

/** The same where nothing may be typed too. */
export function isNumberOrEmpty(text: string, maxPlaces: number): boolean {
  if (text.trim() === '') return true
  const number = typedNumber(text)
  return number !== null && (number.split('.')[1] ?? '').length <= maxPlaces
}

export function typedCount(text: string): number | null {
  const number = Number(typedNumber(text) ?? Number.NaN)
  return Number.isInteger(number) && number >= 1 ? number : null
}
