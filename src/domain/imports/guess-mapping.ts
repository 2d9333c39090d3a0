import { isEmail } from '../members/email.ts'
import { eitherOr, headersOf, type ImportField, importFields } from './fields.ts'

/** For each column the field it fills, or null. */
export type Mapping = (ImportField | null)[]

/** firstName, First_Name and "first name:" are the same words. */
function wordsOf(header: string): string {
  return header
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** What the columns probably hold, by the words above them, else by what stands in them. Each field once. */
export function guessMapping(header: readonly string[], samples: readonly string[][]): Mapping {
  const taken = new Set<ImportField>()
  const take = (field: ImportField | null | undefined) => {
    if (!field || taken.has(field)) return null
    taken.add(field)
    return field
  }
  const named = header.map((text) => {
    const words = wordsOf(text)
    const exact = importFields.find((field) => wordsOf(field) === words || headersOf[field].includes(words))
    return take(exact)
  })
  const guessed = named.map((field, column) => {
    const values = samples.map((row) => row[column]?.trim() ?? '').filter((value) => value !== '')
    return field ?? take(fieldOfValues(values))
  })
  return withoutDoubles(guessed)
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
