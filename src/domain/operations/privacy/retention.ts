/** How long a company keeps what; null keeps it. */
export interface RetentionRule {
  /** Leads that were never sold and have not changed for so long are erased. */
  unsoldMonths: number | null
  /** The texts of mails go after so long; that they were sent stays. */
  mailMonths: number | null
  /** Of the request log; null: 14 days, as for everybody. */
  requestDays: number | null
  /** Where the law wants names and addresses to stay on finalised invoices. */
  keepInvoiceNames: boolean
}

export const keepsAll: RetentionRule = {
  unsoldMonths: null,
  mailMonths: null,
  requestDays: null,
  keepInvoiceNames: false,
}

export const maxMonths = 240

/** Before this, what is kept for so many months is kept no longer. */
export function monthsBefore(now: Date, months: number): Date {
  const then = Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO('UTC')
    .subtract({ months })
  return new Date(then.epochMilliseconds)
}

export function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * 86_400_000)
}
