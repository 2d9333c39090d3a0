import { InvalidArgumentError } from 'commander'
import { parseInstant } from '../platform/iso-8601.ts'

/** A timestamp that somebody typed. */
export function instant(text: string): Date {
  const ms = parseInstant(text)
  if (ms === null) throw new InvalidArgumentError('Use a timestamp with offset such as 2027-01-31T00:00:00Z.')
  return new Date(ms)
}
