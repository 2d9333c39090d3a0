import { isEmail } from '../../kernel/email.ts'
import { fieldLabels, headerWords } from './field-labels.ts'
import { eitherOr, headersOf, type ImportField, importFields } from './fields.ts'

/** For each column the field it fills, or null. */
export type Mapping = (ImportField | null)[]

// Our own words first: what one field is called may be what others write over another.
const byWords = new Map<string, ImportField>([
  ...importFields.flatMap((field) => headersOf[field].map((header) => [headerWords(header), field] as const)),
  ...importFields.map((field) => [headerWords(field), field] as const),
  ...importFields.map((field) => [headerWords(fieldLabels[field]), field] as const),
])

/** What the columns probably hold, by the words above them, else by what stands in them. Each field once. */
export function guessMapping(header: readonly string[], samples: readonly string[][]): Mapping {
  const taken = new Set<ImportField>()
  const take = (field: ImportField | null | undefined) => {
    if (!field || taken.has(field)) return null
    taken.add(field)
    return field
  }
  const valuesOf = (column: number) =>
    samples.map((row) => row[column]?.trim() ?? '').filter((value) => value !== '')
  const named = header.map((text, column) =>
    take(fittingValues(byWords.get(headerWords(text)), valuesOf(column))),
  )
  const guessed = named.map((field, column) => field ?? take(fieldOfValues(valuesOf(column))))
  return withoutDoubles(guessed)
}

const counted: readonly (readonly [count: ImportField, model: ImportField])[] = [
  ['panelCount', 'panelModel'],
  ['inverterCount', 'inverterModel'],
  ['batteryCount', 'batteryModel'],
]

/** "Panels" may stand over their number and over what they are. */
function fittingValues(field: ImportField | undefined, values: readonly string[]): ImportField | undefined {
  const pair = counted.find((both) => field && both.includes(field))
  if (!pair || values.length === 0) return field
  const [count, model] = pair
  if (field === count && values.every((value) => !/^\d/.test(value) || /[a-z]/i.test(value))) return model
  return field === model && values.every((value) => /^\d{1,4}([.,]0+)?$/.test(value)) ? count : field
}

function fieldOfValues(values: readonly string[]): ImportField | null {
  const all = (test: (value: string) => boolean) => values.length > 0 && values.every(test)
  if (all(isEmail)) return 'email'
  if (all((value) => /^[+(]?\d[\d\s().-]{8,18}$/.test(value) && value.replace(/\D/g, '').length >= 10))
    return 'phone'
  return null
}

/** Where the parts are there, the whole is not needed. */
function withoutDoubles(mapping: Mapping): Mapping {
  const doubled = eitherOr.filter(([, parts]) => parts.some((part) => mapping.includes(part)))
  // A column called "Address" beside city and state is the street.
  const street = (field: ImportField) =>
    field === 'fullAddress' && !mapping.includes('line1') ? 'line1' : null
  return mapping.map((field) => (field && doubled.some(([whole]) => whole === field) ? street(field) : field))
}
