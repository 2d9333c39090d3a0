import { hash } from 'node:crypto'
import type { Marks } from './source.ts'

/** A hash of what a field says: enough to see that it says something else. */
export function markOf(value: unknown): string {
  return hash('sha256', JSON.stringify(plain(value)) ?? '', 'base64url').slice(0, 16)
}

/** Without order and without what is not there: a database gives fields back in an order of its own. */
function plain(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map(plain)
  if (value === null || typeof value !== 'object') return value ?? null
  const entries = Object.entries(value).filter(([, one]) => one !== null && one !== undefined)
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, one]) => [name, plain(one)]),
  )
}

export interface Merged<T> {
  /** What is to be taken over. */
  taken: Partial<T>
  /** What was changed there, and otherwise here. */
  kept: (keyof T & string)[]
  marks: Marks
}

/**
 * What of a reading is to be taken over, field by field: what is another than last time there, and still the same here. What was
 * changed on both sides stays as it is here, and is told once. Where nothing was ever taken over (`before` is null), only what
 * is empty here is filled.
 */
export function merge<T extends object>(
  theirs: Partial<T>,
  ours: { [K in keyof T]: unknown },
  before: Marks | null,
): Merged<T> {
  const taken: Partial<T> = {}
  const kept: Merged<T>['kept'] = []
  const marks: Record<string, string> = { ...before }
  for (const [field, value] of Object.entries(theirs) as [keyof T & string, T[keyof T & string]][]) {
    if (value === undefined) continue
    const mark = markOf(value)
    const here = markOf(ours[field])
    const was = before?.[field]
    marks[field] = mark
    if (mark === was || mark === here) continue
    if (was === undefined ? here === markOf(null) || here === markOf({}) : here === was) taken[field] = value
    else if (was !== undefined) kept.push(field)
  }
  return { taken, kept, marks }
}

/** The marks of everything that a reading says. */
export function marksOf(theirs: object): Marks {
  const told = Object.entries(theirs).filter(([, value]) => value !== undefined)
  return Object.fromEntries(told.map(([field, value]) => [field, markOf(value)]))
}
