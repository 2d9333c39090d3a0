/** Says what is wrong with a value, or null. A property that is not there arrives as undefined. */
export type Shape = (value: unknown, path: string) => string | null

const maxShown = 80

export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text
}

function is(what: string, holds: (value: unknown) => boolean): Shape {
  return (value, path) => {
    if (value === undefined) return `${path} is missing`
    return holds(value) ? null : `${path} is ${shown(value)}, not ${what}`
  }
}

const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d([.,]\d+)?)?(Z|[+-]\d\d(:?\d\d)?)$/
const utcMillis = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

export const text = is('text', (value) => typeof value === 'string')
export const filledText = is(
  'text with something in it',
  (value) => typeof value === 'string' && value !== '',
)
export const number = is('a number', (value) => typeof value === 'number' && Number.isFinite(value))
export const boolean = is('true or false', (value) => typeof value === 'boolean')
export const timestamp = is(
  'an ISO 8601 timestamp',
  (value) => typeof value === 'string' && iso.test(value) && !Number.isNaN(Date.parse(value)),
)
export const utcTimestamp = is(
  'a timestamp in UTC with milliseconds and Z',
  (value) => typeof value === 'string' && utcMillis.test(value),
)
export const day = is('a day as YYYY-MM-DD', (value) => {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return false
  const at = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(value)
})
export const address = is('an address', (value) => typeof value === 'string' && URL.canParse(value))
export const object = is('an object', isObject)
export const array = is('an array', Array.isArray)

export const oneOf = (...values: string[]): Shape =>
  is(`one of ${values.join(', ')}`, (value) => values.includes(value as string))

export const matching = (what: string, pattern: RegExp): Shape =>
  is(what, (value) => typeof value === 'string' && pattern.test(value))

export const nullable =
  (shape: Shape): Shape =>
  (value, path) => {
    if (value === null) return null
    const wrong = shape(value, path)
    return wrong && value !== undefined ? `${wrong}, nor null` : wrong
  }

/** Absent, or of this shape. */
export const optional =
  (shape: Shape): Shape =>
  (value, path) =>
    value === undefined ? null : shape(value, path)

/** Further properties may join. */
export const record =
  (fields: Record<string, Shape>): Shape =>
  (value, path) => {
    if (!isObject(value)) return object(value, path)
    for (const [name, shape] of Object.entries(fields)) {
      const wrong = shape(value[name], `${path}.${name}`)
      if (wrong) return wrong
    }
    return null
  }

export const list =
  (shape: Shape): Shape =>
  (value, path) => {
    if (!Array.isArray(value)) return array(value, path)
    for (const [i, item] of value.entries()) {
      const wrong = shape(item, `${path}[${i}]`)
      if (wrong) return wrong
    }
    return null
  }

/** From any key to a value of this shape. */
export const map =
  (shape: Shape): Shape =>
  (value, path) => {
    if (!isObject(value)) return object(value, path)
    for (const [key, item] of Object.entries(value)) {
      const wrong = shape(item, `${path}.${key}`)
      if (wrong) return wrong
    }
    return null
  }

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value at a path such as `stage.name`; undefined where a part of it is missing. */
export function at(value: unknown, path: string): unknown {
  let found = value
  for (const part of path.split('.')) {
    if (typeof found !== 'object' || found === null) return undefined
    found = (found as Record<string, unknown>)[part]
  }
  return found
}
