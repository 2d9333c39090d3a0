export interface CellFormat {
  isDate: boolean
  from1904: boolean
}

/** What a cell of its own text says, as somebody would type it: days as 2026-01-31, numbers plainly. */
export function cellText(raw: string, type: string, { isDate, from1904 }: CellFormat): string {
  switch (type) {
    case 'b':
      return raw === '1' ? 'true' : 'false'
    case 'e':
      return ''
    case 'n':
      return numberText(raw.trim(), isDate, from1904)
    default:
      return raw
  }
}

function numberText(raw: string, isDate: boolean, from1904: boolean): string {
  const value = Number(raw)
  if (raw === '' || !Number.isFinite(value)) return raw
  if (isDate) return dayText(value + (from1904 ? 1462 : 0)) ?? raw
  // Fifteen digits are what a spreadsheet shows; behind them stand the traces of binary fractions.
  const plain = Number(value.toPrecision(15))
  return Number.isInteger(plain) && Math.abs(plain) < 1e21 ? BigInt(plain).toString() : String(plain)
}

const dayMs = 86_400_000
const lastDay = 2_958_465

/** Days are counted so that 25569 is the first of 1970; the fraction is the time of day. */
function dayText(days: number): string | null {
  if (days < 1 || days > lastDay + 1) return null
  const text = new Date(Math.round((days - 25_569) * dayMs)).toISOString()
  return Number.isInteger(days) ? text.slice(0, 10) : text.slice(0, 19)
}
