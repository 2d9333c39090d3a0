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

const days = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

/** 2026-03-04 → Mar 4, 2026 */
export const dayInWords = (day: string) => days.format(new Date(`${day}T00:00:00Z`))
