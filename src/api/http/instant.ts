// An offset can carry a time out of the years that the database's text form has. A day is left at either end.
const earliest = Date.parse('0001-01-02T00:00:00Z')
const latest = Date.parse('9999-12-31T00:00:00Z')

/**
 * A timestamp that was found to be one: a comma may stand for the decimal point, and an offset be written without colon or
 * minutes.
 */
export function instant(text: string): Date {
  const time = Date.parse(
    text
      .toUpperCase()
      .replace(',', '.')
      .replace(/(T.*[+-]\d\d)(\d\d)?$/, (_whole, hours: string, minutes = '00') => `${hours}:${minutes}`),
  )
  return new Date(Math.min(Math.max(time, earliest), latest))
}
