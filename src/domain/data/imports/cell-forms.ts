import { Big } from 'big.js'
import type { Decimal } from '../../kernel/money.ts'

const currency = /^(?:[$€£]|USD|EUR|GBP|CAD)\s*|\s*(?:[$€£]|USD|EUR|GBP|CAD)$/gi
const blanks = /[\s\u00a0\u202f'’]/g

const numberForms: readonly [form: RegExp, groups: string, decimal: string][] = [
  [/^\d{1,10}(\.\d{1,15})?$/, ',', '.'],
  [/^\d{1,3}(,\d{3})+(\.\d{1,15})?$/, ',', '.'],
  [/^\d{1,3}(\.\d{3})+,\d{1,15}$/, '.', ','],
  [/^\d{1,3}(\.\d{3}){2,}$/, '.', ','],
  [/^\d{1,10},\d{1,15}$/, '.', ','],
]

/** A number as people write it, in plain form: 28,728.50, 28.728,50, 28 728,50, 28'728.50, 182,50. Null where it is none. */
function plainNumber(text: string): string | null {
  const digits = text.replace(blanks, '')
  const form = numberForms.find(([known]) => known.test(digits))
  if (!form) return null
  const [, groups, decimal] = form
  const plain = digits.replaceAll(groups, '').replace(decimal, '.')
  return /^\d{1,10}(\.|$)/.test(plain) ? plain : null
}

/** An amount as people write it: $28,728.50, 28728.5 or 182,50 €. Null where it is none. */
export function amountOf(text: string, places = 2): Decimal | null {
  const plain = plainNumber(text.replace(currency, ''))
  return plain === null ? null : new Big(plain).toFixed(places)
}

/** A number of any kind of unit: 8.4, 8,4 kW, 12,650 kWh. */
export function numberOf(text: string): Decimal | null {
  const plain = plainNumber(text.replace(/\s*(kwh?|watts?|w)\b.*$/i, ''))
  return plain === null ? null : new Big(plain).round(10).toFixed()
}

export function countOf(text: string): number | null {
  return /^\d{1,6}([.,]0+)?$/.test(text) ? Number(text.replace(',', '.')) : null
}

export function percentOf(text: string): Decimal | null {
  const plain = text.replace(/\s*%$/, '').replace(',', '.')
  return /^\d{1,3}(\.\d{1,15})?$/.test(plain) && Number(plain) <= 100
    ? new Big(plain).round(3).toFixed()
    : null
}

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const time = '(?:[T ,]+.*)?'
const month = '([A-Za-z]{3})[a-z]*\\.?'
const dayForms: readonly [RegExp, readonly [year: number, month: number, day: number]][] = [
  [new RegExp(`^(\\d{4})[-/.](\\d{1,2})[-/.](\\d{1,2})${time}$`), [1, 2, 3]],
  // As it is written in the United States: the month first, unless that cannot be.
  [new RegExp(`^(\\d{1,2})[/-](\\d{1,2})[/-](\\d{4}|\\d{2})${time}$`), [3, 1, 2]],
  [new RegExp(`^(\\d{1,2})\\.(\\d{1,2})\\.(\\d{4}|\\d{2})${time}$`), [3, 2, 1]],
  [new RegExp(`^${month} (\\d{1,2})(?:st|nd|rd|th)?,? (\\d{4})${time}$`), [3, 1, 2]],
  [new RegExp(`^(\\d{1,2})[ -]${month}[ -](\\d{4}|\\d{2})${time}$`), [3, 2, 1]],
]

/**
 * A day as 2026-01-31, 1/31/2026, 31/1/2026, 31.1.2026, 1/31/26, Jan 31, 2026 or 31-Jan-2026, with or without a time,
 * or milliseconds since 1970; null where it is none from 1900 to 2099.
 */
export function dayOf(text: string): string | null {
  if (/^\d{13}$/.test(text)) return dayOf(new Date(Number(text)).toISOString())
  for (const [form, [yearAt, monthAt, dayAt]] of dayForms) {
    const found = form.exec(text)
    if (!found) continue
    const year = fullYear(found[yearAt]!)
    const named = monthNames.indexOf(found[monthAt]!.toLowerCase()) + 1
    const numbers: [number, number] = [named || Number(found[monthAt]), Number(found[dayAt])]
    const [month, day] = monthAt === 1 && !named ? inOrder(...numbers) : numbers
    const iso = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
    const date = new Date(`${iso}T00:00:00Z`)
    const isDay = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso)
    return isDay && /^(19|20)/.test(iso) ? iso : null
  }
  return null
}

/** The thirteenth is no month. */
function inOrder(month: number, day: number): [number, number] {
  return month > 12 && day <= 12 ? [day, month] : [month, day]
}

function fullYear(year: string): string {
  return year.length === 4 ? year : `${Number(year) < 70 ? '20' : '19'}${year}`
}

/** Names of the countries that files write out. */
const countryNames: Record<string, string> = {
  usa: 'US',
  'u.s.': 'US',
  'u.s.a.': 'US',
  'united states': 'US',
  'united states of america': 'US',
  canada: 'CA',
  mexico: 'MX',
  'puerto rico': 'PR',
}

export function countryOf(text: string): string {
  return countryNames[text.toLowerCase()] ?? text.toUpperCase()
}

/** Spreadsheets take ZIP codes for numbers and drop the zeros that they begin with. */
export function postalCodeOf(text: string, country: string): string {
  return country === 'US' && /^\d{3,4}$/.test(text) ? text.padStart(5, '0') : text
}

/** "Ada Moreno" and "Moreno, Ada". */
export function nameParts(text: string): { firstName: string; lastName: string } {
  const comma = text.indexOf(',')
  if (comma > 0) return { firstName: text.slice(comma + 1).trim(), lastName: text.slice(0, comma).trim() }
  const space = text.lastIndexOf(' ')
  return { firstName: text.slice(0, Math.max(space, 0)).trim(), lastName: text.slice(space + 1) }
}
