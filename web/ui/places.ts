/** Every time zone that the browser knows, and the one that holds now. */
export function timezones(current: string): string[] {
  const known = Intl.supportedValuesOf('timeZone')
  return known.includes(current) ? known : [current, ...known]
}

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
// Codes that have a name and are no country.
const groups = new Set(['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', 'ZZ'])

/** Every country by its code, in the order of their names. */
export function countries(): [code: string, name: string][] {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  return letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter((code) => !groups.has(code))
    .flatMap((code): [string, string][] => {
      const name = names.of(code)
      return name ? [[code, name]] : []
    })
    .sort(([, a], [, b]) => a.localeCompare(b))
}
