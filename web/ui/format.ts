const locale = 'en-US'

const money = new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD' })
const wholeMoney = new Intl.NumberFormat(locale, {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 0,
})
const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 })
const days = new Intl.DateTimeFormat(locale, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})
const shortDays = new Intl.DateTimeFormat(locale, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
})
const wholeDays = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone: 'UTC' })
const times = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })

export const formatMoney = (amount: number | string) => money.format(Number(amount))
export const formatWholeMoney = (amount: number | string) => wholeMoney.format(Number(amount))
export const formatNumber = (value: number | string) => numbers.format(Number(value))
/** A calendar day such as 2026-03-01: it has no time zone. */
export const formatDay = (day: string) => days.format(new Date(`${day.slice(0, 10)}T00:00:00Z`))
export const formatShortDay = (day: string) => shortDays.format(new Date(`${day.slice(0, 10)}T00:00:00Z`))
export const formatWholeDay = (day: string) => wholeDays.format(new Date(`${day}T00:00:00Z`))
export const formatTime = (instant: string) => times.format(new Date(instant))

const timesIn = new Map<string, Intl.DateTimeFormat>()

/** As the clocks there show it, with the zone: who reads it may be elsewhere. */
export function formatTimeIn(timeZone: string, instant: string): string {
  let form = timesIn.get(timeZone)
  if (!form) {
    const day = { day: 'numeric', month: 'short', year: 'numeric' } as const
    const time = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const
    form = new Intl.DateTimeFormat(locale, { ...day, ...time, timeZone })
    timesIn.set(timeZone, form)
  }
  return form.format(new Date(instant))
}

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** How long ago, in the largest unit that fits. */
export function formatAgo(instant: string, now = Date.now()): string {
  const seconds = (Date.parse(instant) - now) / 1000
  for (const [unit, size] of steps) {
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit)
  }
  return relative.format(0, 'minute')
}

export function daysSince(instant: string, now = Date.now()): number {
  return Math.max(0, Math.floor((now - Date.parse(instant)) / 86_400_000))
}
