import { own, type Reading } from './answers.ts'
import type { LegacyProblem } from './source.ts'

export interface Reader {
  readonly problems: LegacyProblem[]
  /** A field's text, trimmed; undefined where it is not there or cannot be taken, null where it is empty. */
  text(name: string, maxCharacters?: number): string | null | undefined
  /** Whatever the field holds. */
  value(name: string): unknown
  /** The field's text in the form that it is kept in; what has another form is left out and said. */
  formed<T>(name: string, form: (text: string) => T | null, is: string): T | null | undefined
  leaveOut(name: string, reason: string): void
}

/**
 * Reads a record of the old server field by field. What is wrong with a field is said without its value: these texts are
 * kept, and what they are about may have to be erased.
 */
export function createReader(reading: Reading): Reader {
  const problems: LegacyProblem[] = []
  const leaveOut = (field: string, reason: string) => {
    problems.push({ field, message: `left out: ${reason}` })
  }
  function text(name: string, maxCharacters = 200): string | null | undefined {
    const value = own(reading, name)
    if (value === undefined) return undefined
    if (value === null) return null
    if (typeof value === 'object') return void leaveOut(name, 'it is no text')
    const trimmed = String(value).trim()
    if (trimmed === '') return null
    if (trimmed.includes('\0') || !trimmed.isWellFormed())
      return void leaveOut(name, 'it holds signs that are no text')
    if (trimmed.length > maxCharacters)
      return void leaveOut(name, `it has more than ${maxCharacters} characters`)
    return trimmed
  }
  return {
    problems,
    text,
    value: (name) => own(reading, name),
    leaveOut,
    formed(name, form, is) {
      const found = text(name)
      if (!found) return found as null | undefined
      const value = form(found)
      if (value !== null) return value
      leaveOut(name, `it is not ${is}`)
      return undefined
    },
  }
}
