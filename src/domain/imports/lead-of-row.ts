import { type ProductLine, productLines } from '../ladders/stage.ts'
import type { NewLead } from '../leads/begin-lead.ts'
import { countryPattern, leadLimits } from '../leads/field-limits.ts'
import { contactOrNull, type LeadStatus, leadStatuses, statusWords } from '../leads/lead.ts'
import { parseAddress } from '../leads/one-line-address.ts'
import type { LeadPatch } from '../leads/patch-lead.ts'
import { isEmail } from '../members/email.ts'
import { amountOf, countryOf, nameParts, postalCodeOf } from './cell-forms.ts'
import type { ImportField } from './fields.ts'
import { type RowProblem, type RowValues, refusal } from './row-values.ts'

/** What a row says about its lead, each value in the form it is kept in. */
export interface RowLead {
  texts: RowValues
  productLine: ProductLine | undefined
  status: LeadStatus | undefined
}

const lengths: Partial<Record<ImportField, number>> = {
  email: leadLimits.email,
  coEmail: leadLimits.email,
  salesRepEmail: leadLimits.email,
  setterEmail: leadLimits.email,
  phone: leadLimits.phone,
  coPhone: leadLimits.phone,
  notes: leadLimits.notes,
  externalId: leadLimits.externalId,
  fullAddress: 500,
}
const checkedFields: readonly ImportField[] = [
  ...(['firstName', 'lastName', 'line1', 'line2', 'city', 'state', 'postalCode'] as const),
  ...(['source', 'subSource', 'utility', 'coFirstName', 'coLastName'] as const),
  ...(Object.keys(lengths) as ImportField[]),
]
const emails = ['email', 'coEmail', 'salesRepEmail', 'setterEmail'] as const

/** The row's lead in the words of the API, and what is wrong with it by the API's rules. */
export function readLead(values: RowValues): { lead: RowLead; problems: RowProblem[] } {
  const problems: RowProblem[] = []
  const wrong = (field: ImportField, message: string) => problems.push(refusal(field, message))
  const texts = { ...values }
  if (texts.fullName) Object.assign(texts, nameParts(texts.fullName))
  if (texts.country) texts.country = countryOf(texts.country)
  if (texts.postalCode) texts.postalCode = postalCodeOf(texts.postalCode, texts.country ?? 'US')
  if (texts.country && !new RegExp(countryPattern).test(texts.country))
    wrong('country', 'must be a two-letter country code, such as US')
  for (const field of checkedFields) {
    const most = lengths[field] ?? leadLimits.name
    if ((texts[field]?.length ?? 0) > most) wrong(field, `must have at most ${most} characters`)
  }
  for (const field of emails) {
    if (texts[field] && !isEmail(texts[field]))
      wrong(field, 'must be an email address, such as ada@example.com')
  }
  if (texts.monthlyBill) {
    const amount = amountOf(texts.monthlyBill)
    if (amount === null) wrong('monthlyBill', 'must be an amount such as 182.50')
    else texts.monthlyBill = amount
  }
  const productLine = texts.productLine === undefined ? undefined : lineNamed(texts.productLine)
  if (productLine === null) wrong('productLine', `must be one of ${productLines.join(', ')}`)
  const status = texts.status === undefined ? undefined : statusNamed(texts.status)
  if (status === null) wrong('status', `must be one of ${Object.values(statusWords).join(', ')}`)
  return { lead: { texts, productLine: productLine ?? undefined, status: status ?? undefined }, problems }
}

function lineNamed(text: string): ProductLine | null {
  const words = text.toLowerCase().replace(/[-_]/g, ' ')
  if (words === 'home improvement') return 'hi'
  return productLines.find((line) => line === words) ?? null
}

function statusNamed(text: string): LeadStatus | null {
  const words = text.toLowerCase().replace(/[-_]/g, ' ')
  return leadStatuses.find((s) => s.toLowerCase() === words || statusWords[s] === words) ?? null
}

const neededParts = ['line1', 'city', 'state', 'postalCode'] as const

/** What a lead cannot be made without. An address in one text is kept whole where it cannot be read. */
export function missingOf({ texts, status }: RowLead, sold: boolean): RowProblem[] {
  const needed: ImportField[] = ['firstName', 'lastName', ...(texts.fullAddress ? [] : neededParts)]
  const missing = needed.filter((field) => !texts[field]).map((field) => refusal(field, 'is required'))
  if (status === 'sold' && !sold)
    missing.push(refusal('status', 'a sold lead needs its contract: map the contract price and the system'))
  return missing
}

function addressOf(texts: RowValues) {
  if (texts.fullAddress) return parseAddress(texts.fullAddress)
  return {
    line1: texts.line1 ?? null,
    line2: texts.line2 ?? null,
    city: texts.city ?? null,
    state: texts.state ?? null,
    postalCode: texts.postalCode ?? null,
    country: texts.country ?? 'US',
  }
}

export function newLeadOf({ texts, productLine, status }: RowLead): NewLead {
  return {
    firstName: texts.firstName!,
    lastName: texts.lastName!,
    address: addressOf(texts),
    email: texts.email ?? null,
    phone: texts.phone ?? null,
    notes: texts.notes ?? null,
    externalId: texts.externalId ?? null,
    salesRepEmail: texts.salesRepEmail ?? null,
    setterEmail: texts.setterEmail ?? null,
    coBorrower: contactOrNull({
      firstName: texts.coFirstName ?? null,
      lastName: texts.coLastName ?? null,
      email: texts.coEmail ?? null,
      phone: texts.coPhone ?? null,
    }),
    utility: { name: texts.utility ?? null, monthlyBill: texts.monthlyBill ?? null },
    source: { name: texts.source ?? null, subSource: texts.subSource ?? null },
    ...(productLine ? { productLine } : {}),
    ...(status && status !== 'sold' ? { status } : {}),
  }
}

/** Only what the row says: what it leaves empty is kept. */
export function leadPatchOf({ texts, status }: RowLead): LeadPatch {
  const { fullAddress, line1, line2, city, state, postalCode, country } = texts
  const address = fullAddress
    ? parseAddress(fullAddress)
    : given({ line1, line2, city, state, postalCode, country })
  const { firstName, lastName, email, phone, notes } = texts
  const co = given({
    firstName: texts.coFirstName,
    lastName: texts.coLastName,
    email: texts.coEmail,
    phone: texts.coPhone,
  })
  const utility = given({ name: texts.utility, monthlyBill: texts.monthlyBill })
  const source = given({ name: texts.source, subSource: texts.subSource })
  return {
    ...given({ firstName, lastName, email, phone, notes }),
    ...(Object.keys(address).length > 0 ? { address } : {}),
    ...(Object.keys(co).length > 0 ? { coBorrower: co } : {}),
    ...(Object.keys(utility).length > 0 ? { utility } : {}),
    ...(Object.keys(source).length > 0 ? { source } : {}),
    ...(status ? { status } : {}),
  }
}

function given<K extends string>(texts: Record<K, string | undefined>): Partial<Record<K, string>> {
  const set = Object.entries(texts).filter(([, text]) => text !== undefined)
  return Object.fromEntries(set) as Partial<Record<K, string>>
}
