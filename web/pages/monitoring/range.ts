import type { Series } from './use-monitoring.ts'

export const steps = ['hourly', 'daily', 'weekly', 'monthly'] as const
export type Step = (typeof steps)[number]

/** Days as YYYY-MM-DD, both inclusive. */
export interface Range {
  by: Step
  from: string
  to: string
}

const dayMs = 86_400_000
const defaultDays: Record<Step, number> = { hourly: 3, daily: 30, weekly: 182, monthly: 730 }
const maxDays: Record<Step, number> = { hourly: 366, daily: 3_650, weekly: 3_650, monthly: 7_300 }
const fewestDays: Record<Step, number> = { hourly: 1, daily: 2, weekly: 14, monthly: 62 }
const earliest = '2000-01-01'

export const dayNumber = (day: string) => Date.parse(`${day}T00:00:00Z`) / dayMs
const dayText = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10)

/** Today as the installation's clock has it. */
export function todayIn(timezone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' }).format(new Date())
}

const dayForm = /^\d{4}-\d\d-\d\d$/
const isDay = (text: string | undefined): text is string =>
  text !== undefined && dayForm.test(text) && !Number.isNaN(dayNumber(text))

/** What the address says, or where it says nothing, the last weeks. */
export function rangeOf({ by, from, to }: { by?: string; from?: string; to?: string }, today: string): Range {
  const step = steps.find((one) => one === by) ?? 'daily'
  if (isDay(from) && isDay(to) && from <= to) return within({ by: step, from, to })
  return lastDays(step, today)
}

export function lastDays(by: Step, today: string): Range {
  return { by, from: dayText(dayNumber(today) - defaultDays[by] + 1), to: today }
}

/** No more days than are shown at once. */
function within({ by, from, to }: Range): Range {
  const first = Math.max(dayNumber(from), dayNumber(to) - maxDays[by] + 1, dayNumber(earliest))
  return { by, from: dayText(Math.min(first, dayNumber(to))), to }
}

const lengthOf = ({ from, to }: Range) => dayNumber(to) - dayNumber(from) + 1

/** As long a time, before or after this one; never beyond today. */
export function shifted(range: Range, direction: -1 | 1, today: string): Range {
  const days = lengthOf(range)
  const to = Math.min(dayNumber(range.to) + direction * days, dayNumber(today))
  return within({ ...range, from: dayText(to - days + 1), to: dayText(to) })
}

/** Half the time, or twice, around its middle. */
export function zoomed(range: Range, factor: 0.5 | 2, today: string): Range {
  const days = Math.min(
    maxDays[range.by],
    Math.max(fewestDays[range.by], Math.round(lengthOf(range) * factor)),
  )
  const middle = (dayNumber(range.from) + dayNumber(range.to)) / 2
  const to = Math.min(dayNumber(today), Math.floor(middle + days / 2))
  return within({ ...range, from: dayText(to - days + 1), to: dayText(to) })
}

const closerStep: Record<Step, Step> = {
  hourly: 'hourly',
  daily: 'hourly',
  weekly: 'daily',
  monthly: 'daily',
}
const bucketDays: Record<Step, number> = { hourly: 1, daily: 1, weekly: 7, monthly: 31 }

/** From one bucket to another, in smaller ones where these would be few. */
export function closer(
  range: Range,
  timezone: string,
  first: { at: number },
  last: { at: number } = first,
): Range {
  const from = dayOf(first.at, timezone)
  const to =
    range.by === 'monthly'
      ? endOfMonth(dayOf(last.at, timezone))
      : dayText(dayNumber(dayOf(last.at, timezone)) + bucketDays[range.by] - 1)
  const days = dayNumber(to) - dayNumber(from) + 1
  const by = days / bucketDays[range.by] < 4 ? closerStep[range.by] : range.by
  return within({ by, from, to })
}

function endOfMonth(day: string): string {
  const [year, month] = day.split('-').map(Number)
  return new Date(Date.UTC(year!, month!, 0)).toISOString().slice(0, 10)
}

function dayOf(at: number, timezone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' }).format(at * 1000)
}

/** How a bucket is called, in full and on the axis. */
export function namesOf(by: Step, { timezone, buckets }: Series) {
  const many = buckets.length > 72
  const named = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: timezone, ...options })
    return ({ at }: { at: number }) => format.format(at * 1000)
  }
  const day = { month: 'short', day: 'numeric' } as const
  const full = {
    // With the offset's name: on one day of the year an hour comes twice.
    hourly: named({ weekday: 'short', ...day, year: 'numeric', hour: 'numeric', timeZoneName: 'short' }),
    daily: named({ weekday: 'short', ...day, year: 'numeric' }),
    weekly: named({ ...day, year: 'numeric' }),
    monthly: named({ month: 'long', year: 'numeric' }),
  }
  const short = {
    hourly: named(many ? day : { weekday: 'short', hour: 'numeric' }),
    daily: named(many ? { month: 'short', year: '2-digit' } : day),
    weekly: named(many ? { month: 'short', year: '2-digit' } : day),
    monthly: named({ month: 'short', year: '2-digit' }),
  }
  return { full: full[by], short: short[by] }
}
