export type View = 'month' | 'week' | 'list'

const dayMs = 86_400_000
const at = (day: string) => new Date(`${day}T00:00:00Z`)
const text = (date: Date) => date.toISOString().slice(0, 10)

const form = /^\d{4}-\d{2}-\d{2}$/
export const isDay = (day: string | undefined): day is string =>
  day !== undefined && form.test(day) && !Number.isNaN(at(day).getTime()) && text(at(day)) === day

/** Which day it is where the company works. */
export function todayIn(timeZone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date())
}

const addDays = (day: string, days: number) => text(new Date(at(day).getTime() + days * dayMs))
const monthStart = (day: string) => `${day.slice(0, 8)}01`
const weekStart = (day: string) => addDays(day, -at(day).getUTCDay())

function addMonths(day: string, months: number): string {
  const date = at(monthStart(day))
  date.setUTCMonth(date.getUTCMonth() + months)
  return text(date)
}

/** A list begins with its day: what is over is a step back. */
export const listDays = 28

/** The first and the last day that a view shows for a day. A month is shown in whole weeks. */
export function spanOf(view: View, day: string): { from: string; to: string } {
  if (view === 'list') return { from: day, to: addDays(day, listDays - 1) }
  if (view === 'week') return { from: weekStart(day), to: addDays(weekStart(day), 6) }
  const last = addDays(addMonths(day, 1), -1)
  return { from: weekStart(monthStart(day)), to: addDays(weekStart(last), 6) }
}

/** The day to be shown after a step to the next or the one before. */
export function stepFrom(view: View, day: string, step: 1 | -1): string {
  if (view === 'month') return addMonths(day, step)
  return addDays(day, (view === 'week' ? 7 : listDays) * step)
}

const months = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const spans = new Intl.DateTimeFormat('en-US', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

export function titleOf(view: View, day: string): string {
  if (view === 'month') return months.format(at(day))
  const { from, to } = spanOf(view, day)
  return spans.formatRange(at(from), at(to))
}
