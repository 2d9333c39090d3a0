import { isDeepStrictEqual } from 'node:util'
import type { Kept, Shelf } from './shelf.ts'

/** What differs, each field from what to what. */
export function changedFields<T extends Kept>(
  { columns }: Shelf<T>,
  before: T,
  after: T,
): Record<string, [unknown, unknown]> {
  const value = (item: T, field: string) => (item as unknown as Record<string, unknown>)[field] ?? null
  return Object.fromEntries(
    columns
      .filter(({ field }) => !isDeepStrictEqual(value(before, field), value(after, field)))
      .map(({ field }) => [field, [value(before, field), value(after, field)]]),
  )
}
