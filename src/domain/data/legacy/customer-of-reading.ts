import { hash } from 'node:crypto'
import { type Lead, type LeadStatus, leadLimits } from '../../deals/leads/lead.ts'
import { parseAddress } from '../../deals/leads/one-line-address.ts'
import { phoneDigits } from '../../deals/leads/phone.ts'
import { type Address, type Contact, contactOrNull } from '../../kernel/contact.ts'
import { isEmail } from '../../kernel/email.ts'
import type { Directory } from '../../kernel/tenant/directory.ts'
import { amountOf } from '../imports/cell-forms.ts'
import { statusLabels, valueNamed } from '../imports/field-labels.ts'
import { findRep } from '../imports/find-rep.ts'
import type { Reader } from './reader.ts'

/** What a reading says of a lead, each field apart; what it does not say is not there. */
export interface LegacyCustomer {
  firstName: string | null
  lastName: string | null
  email: string | null
  phone: string | null
  coBorrower: Contact | null
  address: Address
  notes: string | null
  salesRepId: string | null
  setterId: string | null
  status: Exclude<LeadStatus, 'sold'>
  utility: Lead['utility']
}

const asEmail = (text: string) => (isEmail(text) ? text : null)
const maxAddress = 500

/** Whom a record is about and who sold it. Whoever is no active member here is left out and named. */
export function customerOf(reader: Reader, directory: Directory, companyId: string): Partial<LegacyCustomer> {
  const contact = (prefix: string) => ({
    firstName: reader.text(`${prefix}FirstName`),
    lastName: reader.text(`${prefix}LastName`),
    email: reader.formed(`${prefix}Email`, asEmail, 'an email address'),
    phone: reader.text(`${prefix}PhoneNumber`, leadLimits.phone),
  })
  const second = contact('secondaryCustomer')
  const saysSecond = Object.values(second).some((value) => value !== undefined)
  const statusText = reader.text('leadStatus')
  const status = statusText ? valueNamed(statusLabels, statusText) : null
  if (statusText && !status) reader.leaveOut('leadStatus', `there is no status “${statusText}”`)
  const utility = {
    name: reader.text('utilityCompany'),
    monthlyBill: reader.formed('monthlyBill', (text) => amountOf(text), 'an amount'),
  }
  const saysUtility = utility.name !== undefined || utility.monthlyBill !== undefined
  return {
    ...contact('customer'),
    coBorrower: saysSecond
      ? contactOrNull({
          firstName: second.firstName ?? null,
          lastName: second.lastName ?? null,
          email: second.email ?? null,
          phone: second.phone ?? null,
        })
      : undefined,
    address: addressOf(reader),
    notes: reader.text('customerNotes', leadLimits.notes),
    salesRepId: personOf(reader, directory, companyId, 'salesRep'),
    setterId: personOf(reader, directory, companyId, 'setter'),
    status: status && status !== 'sold' ? status : undefined,
    utility: saysUtility
      ? { name: utility.name ?? null, monthlyBill: utility.monthlyBill ?? null }
      : undefined,
  } as Partial<LegacyCustomer>
}

/** Null where nobody is named; undefined where nobody is that they name, so that whoever is there stays. */
export function memberCalled(
  reader: Reader,
  directory: Directory,
  companyId: string,
  field: string,
): string | null | undefined {
  const text = reader.text(field)
  if (!text) return text
  const found = findRep(directory, companyId, text)
  if ('member' in found) return found.member.id
  reader.leaveOut(field, found.reason)
  return undefined
}

/** By email; by name where there is none. */
function personOf(reader: Reader, directory: Directory, companyId: string, slot: string) {
  const email = reader.text(`${slot}Email`, leadLimits.email)
  return email
    ? memberCalled(reader, directory, companyId, `${slot}Email`)
    : memberCalled(reader, directory, companyId, `${slot}Name`)
}

function addressOf(reader: Reader): Address | undefined {
  const whole = reader.text('customerAddress', maxAddress)
  const parts = {
    line1: reader.text('customerStreet') ?? null,
    city: reader.text('customerCity') ?? null,
    state: reader.text('customerState') ?? null,
    postalCode: reader.text('customerZip') ?? null,
  }
  const { line1, city, state, postalCode } = parts
  if (!line1 && !city && !state && !postalCode) return whole ? parseAddress(whole) : undefined
  // A street that is all there is may be an address in one text.
  if (line1 && !city && !state && !postalCode && (!whole || whole === line1)) return parseAddress(line1)
  const { line2, country } = unitAndCountry(whole ?? '', parts)
  // In the order in which every address is rendered.
  return { line1, line2, city, state, postalCode, country }
}

/** The unit and the country stand in the one-line address only, between and behind what is known. */
function unitAndCountry(
  whole: string,
  { line1, city, state, postalCode }: Omit<Address, 'line2' | 'country'>,
): Pick<Address, 'line2' | 'country'> {
  const plainly = { line2: null, country: 'US' }
  const tail = [city, [state, postalCode].filter(Boolean).join(' ')].filter(Boolean).join(', ')
  if (!line1 || tail === '' || !whole.startsWith(line1)) return plainly
  const rest = whole.slice(line1.length)
  const at = rest.lastIndexOf(`, ${tail}`)
  if (at === -1) return plainly
  const country = /^, ([A-Za-z]{2})$/.exec(rest.slice(at + 2 + tail.length))?.[1]
  const unit = rest.slice(0, at).replace(/^, /, '')
  return {
    line2: unit === '' || unit.length > leadLimits.name ? null : unit,
    country: country?.toUpperCase() ?? 'US',
  }
}

/** The same for two readings of one customer; null where too little is known to say so. */
export function customerKey(said: Partial<LegacyCustomer>): string | null {
  const { firstName, lastName, email, phone, address } = said
  if (!(firstName || lastName) || !(email || phone) || !address?.line1) return null
  const words = [
    firstName,
    lastName,
    email,
    phone && (phoneDigits(phone) ?? phone),
    ...Object.values(address),
  ]
  return hash('sha256', JSON.stringify(words.map((word) => String(word ?? '').toLowerCase())), 'base64url')
}

/** The same for a lead and the project that it became: both name the project's page. */
export function linkKey(reader: Reader): string | null {
  const address = reader.text('projectURL', 2_048)
  return address ? hash('sha256', address, 'base64url') : null
}
