import { Big } from 'big.js'
import type { Decimal } from '../kernel/money.ts'

/** A column of the catalogue as a table: how it is written down, and read back. */
export interface TableColumn<T> {
  name: string
  field: string
  write(item: T): string
  /** Says what is wrong by throwing `BadCell`. */
  read(text: string): unknown
}

export class BadCell extends Error {
  override name = 'BadCell'
}

export function textCell(maxLength: number) {
  return (text: string): string => {
    if (text === '') throw new BadCell('must not be empty')
    if (text.length > maxLength) throw new BadCell(`must have at most ${maxLength} characters`)
    return text
  }
}

/** For what may be left empty. */
export function maybe<V>(read: (text: string) => V) {
  return (text: string): V | null => (text === '' ? null : read(text))
}

export function yesOrNo(text: string): boolean {
  const word = text.toLowerCase()
  if (['yes', 'true', '1', 'y'].includes(word)) return true
  if (['no', 'false', '0', 'n', ''].includes(word)) return false
  throw new BadCell('must be yes or no')
}

/** One of the words, written in any case, with or without blanks: “per watt” is perWatt. */
export function oneOfCell<V extends string>(words: readonly V[]) {
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '')
  return (text: string): V => {
    const found = words.find((word) => plain(word) === plain(text))
    if (!found) throw new BadCell(`must be one of ${words.join(', ')}`)
    return found
  }
}

/** A decimal, perhaps as a spreadsheet shows money: $1,250.00. */
export function decimalCell(integerDigits: number, decimals: number) {
  const form = new RegExp(`^\\d{1,${integerDigits}}(\\.\\d{1,${decimals}})?$`)
  return (text: string): Decimal => {
    const plain = text.replace(/^\$\s*/, '').replace(/,(?=\d{3}(\D|$))/g, '')
    if (!form.test(plain))
      throw new BadCell(`must be a number such as 1250.50, with at most ${decimals} decimals`)
    return new Big(plain).toFixed()
  }
}

export function yearsCell(text: string): number {
  if (!/^\d{1,3}$/.test(text)) throw new BadCell('must be whole years, such as 25')
  return Number(text)
}

export const asText = (value: string | number | null) => (value === null ? '' : String(value))
export const asYesOrNo = (value: boolean) => (value ? 'yes' : 'no')
