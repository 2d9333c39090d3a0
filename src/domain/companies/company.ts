export type CompanyKind = 'installer' | 'dealer'

export interface Company {
  id: string
  installerId: string
  kind: CompanyKind
  number: number
  name: string
  timezone: string
  status: 'active' | 'suspended'
  createdAt: Date
}

export const defaultTimezone = 'America/Los_Angeles'

export function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** The calendar day of an instant where the company works, as YYYY-MM-DD. */
export function dayIn(timezone: string, instant: Date): string {
  return Temporal.Instant.fromEpochMilliseconds(instant.getTime())
    .toZonedDateTimeISO(timezone)
    .toPlainDate()
    .toString()
}
