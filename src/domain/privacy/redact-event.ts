import { erasedName, type Person, strike } from './erasure.ts'

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

/** What the record was then, without the customer. */
export function redactData(type: string, data: unknown, person: Person): unknown {
  if (data === null || typeof data !== 'object') return data
  const struck = strikeAll(data, person) as Record<string, unknown>
  if (type.startsWith('installation.')) return { ...struck, name: erasedName, address: '' }
  if (type.startsWith('link.')) return { ...struck, name: '' }
  if (type.startsWith('import.')) return { ...struck, name: erasedName }
  if (type.startsWith('invoice.') && struck['customer'])
    return { ...struck, customer: { name: erasedName, email: null, address: null } }
  return struck
}

function strikeAll(value: unknown, person: Person): unknown {
  if (typeof value === 'string') return strike(value, person)
  if (Array.isArray(value)) return value.map((one) => strikeAll(one, person))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, strikeAll(one, person)]))
}
