import { isDeepStrictEqual } from 'node:util'

/** It goes with every change, and `version` says the same. */
const notSaid = new Set(['updatedAt', 'updated_at'])

/** Of two readings of a record, what the second says otherwise: each of its fields as it was. */
function previousOf(before: object | null, after: object): Record<string, unknown> {
  const now = after as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(before ?? {}).filter(
      ([field, value]) => !notSaid.has(field) && field in now && !isDeepStrictEqual(value, now[field]),
    ),
  )
}

/** The same of renderings, which are texts with marks in them: what was there is copied as it stands. */
function previousText(before: string | null, after: string): string {
  if (before === null) return '{}'
  const now = membersOf(after)
  const changed = [...membersOf(before)].filter(
    ([field, value]) => !notSaid.has(field) && now.get(field) !== undefined && now.get(field) !== value,
  )
  return `{${changed.map(([field, value]) => `"${field}":${value}`).join()}}`
}

/** What is told of a record: its fields as they stand in its JSON, without braces, and what they were before. */
export interface Snapshot {
  fields: string
  previous: string
  /** The text that the fields are all of: a statement that has it need not be given them again. */
  rendering?: string
}

/** Of a rendering, and the one before it. */
export function snapshotOf(now: string, was: string | null, erased: boolean): Snapshot {
  const previous = previousText(was, now)
  const fields = now.slice(1, -1)
  return erased ? { fields: `${fields},"erased":true`, previous } : { fields, previous, rendering: now }
}

/** Of a record, and as it was before. */
export function snapshotOfRecord(now: object, was: object | null): Snapshot {
  return { fields: JSON.stringify(now).slice(1, -1), previous: JSON.stringify(previousOf(was, now)) }
}

/** The members of a rendered object, each as it stands in the text. Renderings are our own: no blanks, no odd names. */
function membersOf(object: string): Map<string, string> {
  const members = new Map<string, string>()
  for (let i = 1; object[i] === '"'; ) {
    const colon = endOfString(object, i) + 1
    const name = object.slice(i + 1, colon - 1)
    const end = endOfValue(object, colon + 1)
    members.set(name, object.slice(colon + 1, end))
    i = end + 1
  }
  return members
}

function endOfValue(text: string, from: number): number {
  let depth = 0
  for (let i = from; i < text.length; i++) {
    const sign = text[i]
    if (sign === '"') i = endOfString(text, i)
    else if (sign === '{' || sign === '[') depth++
    else if (depth === 0 && (sign === ',' || sign === '}')) return i
    else if (sign === '}' || sign === ']') depth--
  }
  return text.length
}

/** Where the string that begins here has its closing quote. */
function endOfString(text: string, from: number): number {
  let i = from + 1
  while (i < text.length && text[i] !== '"') i += text[i] === '\\' ? 2 : 1
  return i
}
