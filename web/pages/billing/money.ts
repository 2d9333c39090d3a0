const locale = 'en-US'
const formats = new Map<string, Intl.NumberFormat>()

function formatOf(currency: string, places: number): Intl.NumberFormat {
  const key = `${currency}${places}`
  let format = formats.get(key)
  if (!format) {
    format = new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      minimumFractionDigits: 2,
      maximumFractionDigits: places,
    })
    formats.set(key, format)
  }
  return format
}

// Given as text, a decimal is formatted as it is: it never becomes a binary number.
const exact = (amount: string) => amount as Intl.StringNumericLiteral

export const formatAmount = (amount: string, currency: string) => formatOf(currency, 2).format(exact(amount))
/** A price for one of something, which may be finer than a cent. */
export const formatPrice = (price: string, currency: string) => formatOf(currency, 6).format(exact(price))

const quantities = new Intl.NumberFormat(locale, { maximumFractionDigits: 6 })
const energy = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 })
/** Energy to a hundredth of a kWh: it is counted and billed finer. */
export const formatQuantity = (quantity: string, unit: string) =>
  (unit === 'kWh' ? energy : quantities).format(exact(quantity))

const months = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' })
/** A month such as 2026-03, or a day of it. */
export const formatMonth = (month: string) => months.format(new Date(`${month.slice(0, 7)}-01T00:00:00Z`))

const offered = 36
const monthForm = /^\d{4}-(0[1-9]|1[0-2])$/

/** That month and those before it, the newest first, with their names; and the one that the address bar asks for. */
export function monthsUntil(last: string, asked?: string): Record<string, string> {
  const [year, month] = last.split('-').map(Number) as [number, number]
  const names: Record<string, string> = Object.fromEntries(
    Array.from({ length: offered }, (_, back) => {
      const name = new Date(Date.UTC(year, month - 1 - back, 1)).toISOString().slice(0, 7)
      return [name, formatMonth(name)]
    }),
  )
  if (asked && !names[asked]) names[asked] = monthForm.test(asked) ? formatMonth(asked) : asked
  return names
}

const dayForms = new Map<string, Intl.DateTimeFormat>()

/** The day on which something was, where the company works. */
export function formatDayIn(timezone: string, instant: string): string {
  let form = dayForms.get(timezone)
  if (!form) {
    form = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: timezone })
    dayForms.set(timezone, form)
  }
  return form.format(new Date(instant))
}

/** Today as YYYY-MM-DD, where the company works. */
export function todayIn(timezone: string): string {
  return new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', timeZone: timezone }).format(new Date())
}
