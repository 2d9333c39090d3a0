import { Big } from 'big.js'
import { dayIn } from '../../kernel/days.ts'
import type { Decimal } from '../../kernel/money.ts'
import { type Directory, installerOf } from '../../kernel/tenant/directory.ts'
import type { ProductLine } from '../../kernel/tenant/stage.ts'
import type { Lead } from '../leads/lead.ts'
import { oneLine } from '../leads/one-line-address.ts'
import { baseUrlMark, staff } from './rendering.ts'

/** The legacy API speaks in texts: decimals as text, and empty text for what is not there. */
export function text(value: string | number | null | undefined): string {
  return value === null || value === undefined ? '' : String(value)
}

/** An address of ours as JSON, empty where there is none. */
export function address(path: string | null | undefined): string {
  return path ? `"${baseUrlMark}${path}"` : '""'
}

/** Money with two places and thousands apart: 12,345.67. */
export function grouped(amount: Decimal | null): string {
  if (amount === null) return ''
  const [whole, cents] = new Big(amount).toFixed(2).split('.') as [string, string]
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${cents}`
}

/** The sum of what is known, with two places; empty where there is something, but nothing is known. */
export function sum(amounts: readonly (Decimal | null)[]): string {
  const known = amounts.filter((amount) => amount !== null)
  if (amounts.length > 0 && known.length === 0) return ''
  return known.reduce((total, amount) => total.plus(amount), new Big(0)).toFixed(2)
}

/** The day of an instant where the installer works: MM/DD/YYYY, for home improvement MM/DD/YY. */
export function day(instant: Date | null | undefined, line: ProductLine, directory: Directory): string {
  if (!instant) return ''
  const [year, month, date] = dayIn(installerOf(directory).timezone, instant).split('-') as string[]
  return `${month}/${date}/${line === 'hi' ? year!.slice(-2) : year}`
}

export function customerFields({ customer, address: home, coBorrower }: Lead) {
  return {
    customerFirstName: text(customer.firstName),
    customerLastName: text(customer.lastName),
    customerPhoneNumber: text(customer.phone),
    customerEmail: text(customer.email),
    customerAddress: oneLine(home),
    customerStreet: text(home.line1),
    customerCity: text(home.city),
    customerState: text(home.state),
    customerZip: text(home.postalCode),
    secondaryCustomerFirstName: text(coBorrower?.firstName),
    secondaryCustomerLastName: text(coBorrower?.lastName),
    secondaryCustomerPhoneNumber: text(coBorrower?.phone),
    secondaryCustomerEmail: text(coBorrower?.email),
  }
}

export function sellerFields({ salesRepId, setterId }: Lead, directory: Directory) {
  const salesRep = staff(directory, salesRepId)
  const setter = staff(directory, setterId)
  return {
    salesRepName: text(salesRep?.name),
    salesRepEmail: text(salesRep?.email),
    salesRepPhone: text(salesRep?.phone),
    setterName: text(setter?.name),
    setterEmail: text(setter?.email),
    setterPhone: text(setter?.phone),
  }
}

/** The reference where there is one, else the id: how the legacy API names a record. */
export function legacyId(record: { id: string; reference: string | null }): string {
  return record.reference ?? record.id
}
