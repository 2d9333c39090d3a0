import type { LegacyList } from './source.ts'

/** A record as the old server says it; every number is the text that it was sent as. */
export type Reading = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Reading =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

export const own = (reading: Reading, name: string): unknown =>
  Object.hasOwn(reading, name) ? reading[name] : undefined

/** Under which names servers keep a list: the specification does not say. */
const listNames = ['data', 'results', 'items', 'records', 'response', 'result', 'list', 'rows']
const moreListNames = ['projects', 'leads', 'panels', 'inverters', 'adders']
const maxDepth = 3

/** The list in an answer; null where there is none. */
export function listIn(answer: unknown, depth = 0): unknown[] | null {
  if (Array.isArray(answer)) return answer
  if (!isObject(answer) || depth > maxDepth) return null
  for (const name of [...listNames, ...moreListNames]) {
    const found = listIn(own(answer, name), depth + 1)
    if (found) return found
  }
  const arrays = Object.values(answer).filter((value) => Array.isArray(value))
  return arrays.length === 1 ? arrays[0]! : null
}

/** What a server says that answers 200 and means that it failed; null where it does not. */
export function failureIn(answer: unknown): string | null {
  if (!isObject(answer)) return null
  const success = own(answer, 'success')
  if (success !== false && success !== 'false') return null
  const message = own(answer, 'message')
  return typeof message === 'string' ? message.replace(/[\p{Cc}\p{Cf}]/gu, ' ').slice(0, 200) : 'no success'
}

/** The fields of one record, out of `{data, id}` or flat. */
export function recordIn(answer: unknown): Reading | null {
  if (!isObject(answer)) return null
  const data = own(answer, 'data')
  if (Array.isArray(data)) return data.length === 1 ? recordIn(data[0]) : null
  if (!isObject(data)) return answer
  const { data: _, ...beside } = answer
  const inner = recordIn(data)
  return inner && { ...beside, ...inner }
}

const idNames = ['id', '_id', 'uid', 'unique_id']
const idNamesOf = {
  lead: ['lead_id', 'leadId', 'leaduid'],
  project: ['project_id', 'projectId', 'projectuid'],
}
const maxIdCharacters = 200

/** By what the old server knows a record; null where it does not say. */
export function idIn(item: unknown, kind: LegacyList['kind']): string | null {
  if (typeof item === 'string') return sane(item)
  if (!isObject(item)) return null
  for (const name of [...idNames, ...idNamesOf[kind]]) {
    const value = own(item, name)
    if (typeof value === 'string' && value.trim() !== '') return sane(value)
  }
  return null
}

function sane(text: string): string | null {
  const id = text.trim()
  return id !== '' && id.length <= maxIdCharacters && !/[\p{Cc}\p{Cs}]/u.test(id) ? id : null
}

const customer = ['FirstName', 'LastName', 'PhoneNumber', 'Email']
const customers = [
  ...customer.flatMap((name) => [`customer${name}`, `secondaryCustomer${name}`]),
  ...['customerAddress', 'customerStreet', 'customerCity', 'customerState', 'customerZip'],
]
const sellers = ['salesRepName', 'salesRepEmail', 'setterName', 'setterEmail']
const sold = [
  ...['projectStatus', 'contractSignedDate', 'submittedDate', 'contractURL', 'proposalURL', 'projectURL'],
  ...['contractPrice', 'financeCompany', 'financeAmount', 'financeAPR', 'financeTerm', 'financeType'],
]
const improved = [...sold, 'customerNotes', 'financeDealerFee', 'monthlyPayment', 'Products']
const system = [
  ...['systemSize', 'estProduction', 'numberOfPanel', 'panelModel', 'numberOfInverter', 'inverterName'],
  ...['numberOfBattery', 'batteryName', 'basePPW', 'finalPPW', 'addersCost', 'adders'],
  ...['siteSurveyorName', 'subContractorName'],
]

/** What the reading of one record has by the specification, as far as it is taken over; of a solar lead it shows nothing. */
const fieldsOf: Record<string, readonly string[]> = {
  'lead solar': customers,
  'lead hi': [...customers, ...sellers, ...improved],
  'project solar': [...customers, ...sellers, ...sold, ...system, 'allFilesURL'],
  'project hi': [...customers, ...sellers, ...improved, 'allFilesURL'],
}

/**
 * Whether an item of a list is all that the reading of the record would be: lists may hold anything. Then a page of a
 * hundred is one call and not a hundred and one.
 */
export function isWhole(item: Reading, { kind, productLine }: LegacyList): boolean {
  return fieldsOf[`${kind} ${productLine}`]!.every((name) => own(item, name) !== undefined)
}

/** Whether it says anything that is known. */
export function saysSomething(reading: Reading, { kind, productLine }: LegacyList): boolean {
  return fieldsOf[`${kind} ${productLine}`]!.some((name) => own(reading, name) !== undefined)
}
