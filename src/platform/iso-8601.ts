const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
/** More than any timestamp has a reason to be. */
const maxCharacters = 64

const offset = String.raw`(Z|[+\-−](?:[01]\d|2[0-3])(?::?[0-5]\d)?)`
const fraction = String.raw`(?:[.,](\d+))?`
const forms = [
  String.raw`(\d{4})-(?:(\d\d)-(\d\d)|(\d{3})|W(\d\d)-([1-7]))T(\d\d)(?::(\d\d)(?::(\d\d))?)?`,
  String.raw`(\d{4})(?:(\d\d)(\d\d)|(\d{3})|W(\d\d)([1-7]))T(\d\d)(?:(\d\d)(\d\d)?)?`,
].map((form) => new RegExp(`^${form}${fraction}${offset}$`, 'i'))

/**
 * The instant of an ISO 8601 timestamp with offset, in milliseconds since 1970; null where it is none. All of the
 * standard's forms: dates by month, week or day of the year, with separators or without, a time to the hour, minute or
 * second with a fraction of it, 24:00 and leap seconds. Left out are years of more than four digits, which both sides
 * would have to agree on.
 */
export function parseInstant(text: string): number | null {
  if (text.length > maxCharacters) return null
  const match = forms[0]!.exec(text) ?? forms[1]!.exec(text)
  if (!match) return null
  const [, year, month, day, ordinal, week, weekday, hour, minute, second, part, zone] = match
  const midnight = month
    ? byMonth(Number(year), Number(month), Number(day))
    : ordinal
      ? byOrdinal(Number(year), Number(ordinal))
      : byWeek(Number(year), Number(week), Number(weekday))
  const time = timeOf(Number(hour), minute, second, part)
  if (midnight === null || time === null) return null
  return midnight + time - offsetOf(zone!)
}

/** Midnight by UTC. Date.UTC takes the years before 100 for those of the last century. */
function midnightOf(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day)
}

function byMonth(year: number, month: number, day: number): number | null {
  const midnight = midnightOf(year, month, day)
  const date = new Date(midnight)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? midnight : null
}

function byOrdinal(year: number, day: number): number | null {
  const midnight = midnightOf(year, 1, day)
  return day > 0 && new Date(midnight).getUTCFullYear() === year ? midnight : null
}

/** A week belongs to the year that its Thursday is in; the first is the one with January 4. */
function byWeek(year: number, week: number, weekday: number): number | null {
  const fourth = midnightOf(year, 1, 4)
  const monday = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * dayMs + (week - 1) * 7 * dayMs
  if (week < 1 || new Date(monday + 3 * dayMs).getUTCFullYear() !== year) return null
  return monday + (weekday - 1) * dayMs
}

function timeOf(
  hour: number,
  minute: string | undefined,
  second: string | undefined,
  part: string | undefined,
): number | null {
  const minutes = Number(minute ?? 0)
  const seconds = Number(second ?? 0)
  const unitMs = second !== undefined ? 1_000 : minute !== undefined ? minuteMs : hourMs
  // To the millisecond, and never up: what is asked for "after" this time must not lose what lies behind it.
  const fractionMs = part === undefined ? 0 : Math.floor(Number(`0.${part}`) * unitMs + 1e-7)
  const ms = hour * hourMs + minutes * minuteMs + seconds * 1_000 + fractionMs
  const leap = seconds === 60 && minutes === 59
  if (minutes > 59 || (seconds > 59 && !leap) || hour > 24 || (hour === 24 && ms > dayMs)) return null
  return ms
}

function offsetOf(zone: string): number {
  if (zone.toUpperCase() === 'Z') return 0
  const digits = zone.slice(1).replace(':', '')
  const ms = Number(digits.slice(0, 2)) * hourMs + Number(digits.slice(2) || 0) * minuteMs
  return zone.startsWith('+') ? ms : -ms
}
