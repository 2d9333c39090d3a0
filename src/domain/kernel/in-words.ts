import type { Decimal } from '../deals/leads/lead.ts'

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const numbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 })
const days = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

/** 28345.20 → $28,345.20. Exact: text is formatted as it stands. */
export const moneyInWords = (amount: Decimal) => dollars.format(amount as Intl.StringNumericLiteral)
/** 12450.5 → 12,450.5 */
export const numberInWords = (value: Decimal) => numbers.format(value as Intl.StringNumericLiteral)
/** 2026-03-04 → Mar 4, 2026 */
export const dayInWords = (day: string) => days.format(new Date(`${day}T00:00:00Z`))
