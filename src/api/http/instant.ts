import { parseInstant } from '../../platform/iso-8601.ts'

// An offset can carry a time out of the years that the database's text form has. A day is left at either end.
const earliest = Date.parse('0001-01-02T00:00:00Z')
const latest = Date.parse('9999-12-31T00:00:00Z')

/** A timestamp that was found to be one. */
export function instant(text: string): Date {
  const time = parseInstant(text)!
  return new Date(Math.min(Math.max(time, earliest), latest))
}
