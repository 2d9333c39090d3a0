import { Big } from 'big.js'
import type { Decimal } from '../leads/lead.ts'

/** An amount as people write it: $28,728.50 or 28728.5. Null where it is none. */
export function amountOf(text: string, places = 2): Decimal | null {
  const plain = text.replace(/^\$\s*|\s*(USD|\$)$/gi, '').replace(/,(?=\d{3}(\D|$))/g, '')
  return /^\d{1,10}(\.\d{1,15})?$/.test(plain) ? new Big(plain).toFixed(places) : null
}

/** A number of any kind of unit: 8.4, 8.4 kW, 12,650 kWh. */
export function numberOf(text: string): Decimal | null {
  const plain = text.replace(/\s*(kwh?|watts?|w)\b.*$/i, '').replace(/,(?=\d{3}(\D|$))/g, '')
  return /^\d{1,10}(\.\d{1,15})?$/.test(plain) ? new Big(plain).round(10).toFixed() : null
}

export function countOf(text: string): number | null {
  return /^\d{1,6}(\.0+)?$/.test(text) ? Number(text) : null
}

export function percentOf(text: string): Decimal | null {
  const plain = text.replace(/\s*%$/, '')
  return /^\d{1,3}(\.\d{1,15})?$/.test(plain) && Number(plain) <= 100
    ? new Big(plain).round(3).toFixed()
    : null
}

const dayForms: readonly [RegExp, readonly [year: number, month: number, day: number]][] = [
  [/^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ].*)?$/, [1, 2, 3]],
  // As it is written in the United States: the month first.
  [/^(\d{1,2})[/-](\d{1,2})[/-](\d{4})(?: .*)?$/, [3, 1, 2]],
  [/^(\d{1,2})\.(\d{1,2})\.(\d{4})$/, [3, 2, 1]],
]

/** A day as 2026-01-31, 1/31/2026 or 31.1.2026; null where it is none from 1900 to 2099. */
export function dayOf(text: string): string | null {
  for (const [form, [year, month, day]] of dayForms) {
    const found = form.exec(text)
    if (!found || !/^(19|20)/.test(found[year]!)) continue
    const iso = `${found[year]}-${found[month]!.padStart(2, '0')}-${found[day]!.padStart(2, '0')}`
    const date = new Date(`${iso}T00:00:00Z`)
    return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso) ? iso : null
  }
  return null
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
