import type { LeadStatus } from '../../deals/leads/lead.ts'
import { countryPattern, leadLimits } from '../../deals/leads/lead.ts'
import { parseAddress } from '../../deals/leads/one-line-address.ts'
import type { LeadPatch } from '../../deals/leads/patch-lead.ts'
import type { NewLead } from '../../deals/leads/prepare-lead.ts'
import { contactOrNull } from '../../kernel/contact.ts'
import { isEmail } from '../../kernel/email.ts'
import type { ProductLine } from '../../kernel/tenant/stage.ts'
import { amountOf, countryOf, dayOf, nameParts, postalCodeOf } from './cell-forms.ts'
import { lineLabels, listed, statusLabels, valueNamed } from './field-labels.ts'
import type { ImportField } from './fields.ts'
import { leftOut, quoted, type RowProblem, type RowValues, refusal } from './row-values.ts'

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
/** Without these there is no lead, or not that one: what is wrong with them is not left out. */
const neededFields = new Set<ImportField>([
  ...(['externalId', 'firstName', 'lastName', 'fullName'] as const),
  ...(['line1', 'city', 'state', 'postalCode', 'fullAddress'] as const),
])
const emails = ['email', 'coEmail'] as const

/** The row's lead in the words of the API. What is wrong with a cell that it can do without is left out and said. */
export function readLead(values: RowValues): { lead: RowLead; problems: RowProblem[] } {
  const problems: RowProblem[] = []
  const texts = { ...values }
  const leave = (field: ImportField, reason: string) => {
    problems.push(leftOut(field, reason))
    delete texts[field]
  }
  if (texts.fullName) Object.assign(texts, nameParts(texts.fullName))
  if (texts.country) texts.country = countryOf(texts.country)
  if (texts.country && !new RegExp(countryPattern).test(texts.country))
    leave('country', `${quoted(values.country!)} is not a two-letter country code, such as US`)
  if (texts.postalCode) texts.postalCode = postalCodeOf(texts.postalCode, texts.country ?? 'US')
  for (const field of checkedFields) {
    const most = lengths[field] ?? leadLimits.name
    const { length } = texts[field] ?? ''
    if (length <= most) continue
    if (neededFields.has(field)) problems.push(refusal(field, `must have at most ${most} characters`))
    else leave(field, `it has ${length} characters, and at most ${most} are kept`)
  }
  for (const field of emails) {
    if (texts[field] && !isEmail(texts[field]))
      leave(field, `${quoted(texts[field])} is not an email address`)
  }
  if (texts.monthlyBill) {
    const amount = amountOf(texts.monthlyBill)
    if (amount === null) leave('monthlyBill', `${quoted(texts.monthlyBill)} is not an amount such as 182.50`)
    else texts.monthlyBill = amount
  }
  if (texts.createdOn) {
    const day = dayOf(texts.createdOn)
    if (day === null) leave('createdOn', notADay(texts.createdOn))
    else texts.createdOn = day
  }
  const named = <V extends string>(field: ImportField, labels: Record<V, string>, more = valueNamed) => {
    const text = texts[field]
    const value = text === undefined ? undefined : more(labels, text)
    if (value === null) leave(field, `${quoted(text!)} is not one of ${listed(labels)}`)
    return value ?? undefined
  }
  const productLine = named('productLine', lineLabels, lineNamed)
  const status = named('status', statusLabels)
  return { lead: { texts, productLine, status }, problems }
}

export function notADay(text: string): string {
  return `${quoted(text)} is not a date such as 2026-01-31 or 1/31/2026`
}

/** Kinds of home improvement stand for the line. */
function lineNamed<V extends string>(labels: Record<V, string>, text: string): V | null {
  const known = valueNamed(labels, text)
  const kinds = ['roof', 'roofing', 'windows', 'doors', 'siding', 'insulation', 'hvac', 'home improvements']
  return known ?? (kinds.includes(text.toLowerCase()) ? ('hi' as V) : null)
}

const neededParts = ['line1', 'city', 'state', 'postalCode'] as const

/** What a lead cannot be made without. An address in one text is kept whole where it cannot be read. */
export function missingOf({ texts, status }: RowLead, sold: boolean): RowProblem[] {
  const needed: ImportField[] = ['firstName', 'lastName', ...(texts.fullAddress ? [] : neededParts)]
  const missing = needed.filter((field) => !texts[field]).map((field) => refusal(field, 'is required'))
  if (status === 'sold' && !sold)
    missing.push(
      refusal(
        'status',
        'a sold lead needs its contract: choose columns for the contract price and the system',
      ),
    )
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
