import { baseUrlMark } from '../../deals/renderings/rendering.ts'
import { erasedName } from '../../kernel/name.ts'
import { type Person, strike } from './erasure.ts'

type Changes = Record<string, [from: unknown, to: unknown]>

/** What an event may go on saying: where the work stood, who did it, what was built and for how much. */
const kept = new Set([
  'stage',
  'status',
  'archived',
  'erased',
  'ntpGranted',
  'salesRepId',
  'setterId',
  'projectManagerId',
  'siteSurveyorId',
  'subcontractorId',
  'installDate',
  'surveyDate',
  'contractSignedOn',
  'contractPrice',
  'products',
  'state',
  'kind',
  'rate',
  'escalatorPercent',
  'startDate',
  'endedAt',
  'number',
  'currency',
  'periodStart',
  'periodEnd',
  'dueDate',
  'creditApplied',
  'amountDue',
  'amountPaid',
  'refunded',
])
const keptPrefixes = ['milestones.', 'system.']

/** That a field was changed stays; from what to what does not, unless it says nothing about a person. */
export function redactChanges(changes: Changes): Changes {
  const says = (field: string, values: unknown[]) =>
    kept.has(field) ||
    keptPrefixes.some((prefix) => field.startsWith(prefix)) ||
    // An item of a checklist, done or not.
    values.every((value) => typeof value === 'boolean')
  return Object.fromEntries(
    Object.entries(changes).map(([field, values]) => [field, says(field, values) ? values : [null, null]]),
  )
}

/**
 * What is told of an event, without the customer: to endpoints, which begins with `start` and ends with the record's
 * `fields`, and in the feed, where `head` stands before the same fields.
 */
export function redactMessage(
  type: string,
  body: string,
  head: string | null,
  person: Person,
): { start: string; fields: string; head: string | null } {
  const { data: told, ...message } = parse(body) as { data: Record<string, unknown> }
  const { version, previous: was, ...record } = told
  const previous = was ? redactData(type, was, person) : {}
  const data = { ...(redactData(type, record, person) as object), ...markOf(type) }
  const open = (object: object) => stringify(object).slice(0, -2)
  const inFeed = head === null ? null : ({ ...(parse(`${head}}}`) as Fields), previous, data: {} } as Fields)
  return {
    start: `${open({ ...message, data: { version, previous } })},`,
    fields: `${stringify(data).slice(1)}}`,
    head: inFeed && open({ ...inFeed, actor: strikeAll(inFeed['actor'], person) }),
  }
}

// The mark of the public address stays open in what is written again, yet no parser reads it: meanwhile a character stands
// for it that has a sign behind it wherever it was in the text itself.
const stand = '\ufdd0'

function parse(text: string): unknown {
  return JSON.parse(text.replaceAll(stand, `${stand}-`).replaceAll(baseUrlMark, `${stand}@`))
}

function stringify(value: unknown): string {
  return JSON.stringify(value).replaceAll(`${stand}@`, baseUrlMark).replaceAll(`${stand}-`, stand)
}

const ofDeal = /^(lead|project|file|activity|note|message|proposal|team|checklist)\./
const ofActivity = /^(note|message|proposal|team|checklist)\./

/** Who has a copy of the customer is told to forget them. */
const markOf = (type: string) => (ofDeal.test(type) ? { erased: true } : {})

/** What the record was then, or some of its fields, without the customer. */
export function redactData(type: string, data: unknown, person: Person): unknown {
  if (data === null || typeof data !== 'object') return data
  const struck = strikeAll(data, person) as Record<string, unknown>
  if (/^(lead|project)\./.test(type)) return redactReading(struck)
  if (type.startsWith('file.')) return only(struck, ['id', 'project_id'])
  if (ofActivity.test(type)) return replaced(struck, { body: '' })
  if (type.startsWith('installation.')) return replaced(struck, { name: erasedName, address: '' })
  if (type.startsWith('link.')) return { ...struck, name: '' }
  if (type.startsWith('import.')) return { ...struck, name: erasedName }
  if (/^(invoice|credit)\./.test(type) && struck['customer'])
    return { ...struck, customer: { name: erasedName, email: null, address: null } }
  return struck
}

type Fields = Record<string, unknown>

const emptied = (value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, emptied(one)]))
    : Array.isArray(value)
      ? []
      : null

/** What a reading of a lead or a project says of a person and of their documents. */
const personal = ['customer', 'address', 'utility', 'source', 'externalId', 'notes', 'files']

/** As an erased record reads; some of its fields may be all there is. */
function redactReading(reading: Fields): Fields {
  const redacted = Object.fromEntries(
    Object.entries(reading).map(([key, value]) => [key, personal.includes(key) ? emptied(value) : value]),
  )
  const inside = (key: string, fields: Fields) => {
    const object = redacted[key]
    return isObject(object) ? { [key]: replaced(object, fields) } : {}
  }
  return {
    ...replaced(redacted, { coBorrower: null }),
    ...inside('contract', { files: [] }),
    ...inside('links', { proposal: null }),
  }
}

const isObject = (value: unknown): value is Fields => value !== null && typeof value === 'object'

/** With other values in those of these fields that it has. */
function replaced(record: Fields, values: Fields): Fields {
  return { ...record, ...only(values, Object.keys(record)) }
}

function only(record: Fields, keys: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(record).filter(([key]) => keys.includes(key)))
}

function strikeAll(value: unknown, person: Person): unknown {
  if (typeof value === 'string') return strike(value, person)
  if (Array.isArray(value)) return value.map((one) => strikeAll(one, person))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, strikeAll(one, person)]))
}
