import type { PageRequest } from './page.ts'

/** A row of a list that was found by filters. */
export interface FoundRow {
  rendering: string
  at: Date
}

/** What was found of a list, and how far it was looked through: null where that was to its end. */
export interface Looked {
  rows: readonly FoundRow[]
  upTo: Date | null
}

/** A row that was found among the first of an order, or the last of these, which is not wanted. */
export interface FirstRow {
  rendering: string | null
  at: Date
  last: boolean
}

/**
 * What was found among the first, and where these ended, both told by one statement: a record that left in between would move
 * the end behind one that was not looked at.
 */
export function lookedOf(found: readonly FirstRow[], { limit }: Pick<PageRequest, 'limit'>): Looked {
  const rows = found.filter((row): row is FirstRow & FoundRow => row.rendering !== null)
  const last = found.find((row) => row.last)
  return { rows, upTo: last && rows.length < limit ? last.at : null }
}

export interface LookedPage {
  /** The rows' renderings, joined by commas. */
  rows: string
  /** Behind which change the next page begins; null at the end. */
  next: Date | null
}

/** Full rows may be long: a page ends behind the one with which it has so many characters. */
const maxCharacters = 4_000_000

/**
 * A page of what was found, in parts that were looked through beside each other. Where that was not to the end, the page
 * may have fewer rows than were asked for, and the next one goes on from there: what a call reads stays bounded.
 */
export function pageOf(parts: readonly Looked[], { limit, ascending }: PageRequest): LookedPage {
  const isBefore = (a: Date, b: Date) => (ascending ? a < b : a > b)
  const ends = parts.flatMap(({ upTo }) => upTo ?? [])
  const end = ends.reduce<Date | null>((first, one) => (first && isBefore(first, one) ? first : one), null)
  const rows = parts
    .flatMap((part) => part.rows)
    .filter(({ at }) => end === null || !isBefore(end, at))
    .sort((a, b) => (isBefore(a.at, b.at) ? -1 : 1))
  let characters = 0
  let taken = 0
  while (taken < rows.length && taken < limit && characters < maxCharacters)
    characters += rows[taken++]!.rendering.length
  const text = rows
    .slice(0, taken)
    .map(({ rendering }) => rendering)
    .join(',')
  return { rows: text, next: taken < rows.length ? rows[taken - 1]!.at : end }
}

/**
 * Whether a word was in so few of those looked through that asking the index of words is worth it: it goes through all that
 * it has of a word before the first is read.
 */
const isRare = (rows: readonly FoundRow[], { limit }: Pick<PageRequest, 'limit'>): boolean =>
  4 * rows.length < limit

/** How many of the first are looked through at once for words: a few tell whether they are rare. */
export const lookedBriefly = 200

/**
 * What holds words: looked through along an order, or found by the index of words where that is little. Where it is not, the
 * page may be short, and the next goes on.
 */
export async function lookForWords(
  { limit }: Pick<PageRequest, 'limit'>,
  {
    through,
    look,
    find,
  }: {
    through: number
    look(looks: 'briefly' | 'through'): Promise<Looked>
    find(): Promise<readonly FoundRow[] | null>
  },
): Promise<Looked> {
  const brief = await look('briefly')
  if (!brief.upTo) return brief
  const seemsRare = isRare(brief.rows, { limit: (limit * lookedBriefly) / through })
  const few = seemsRare ? await find() : null
  if (few) return { rows: few, upTo: null }
  const looked = await look('through')
  if (seemsRare || !looked.upTo || !isRare(looked.rows, { limit })) return looked
  const others = await find()
  return others ? { rows: others, upTo: null } : looked
}

/** So many are found at once, to be put in order. */
export const maxFound = 1_000

/** The times between which a page is, of a list in either order; nothing later than `upTo`, if there is one. */
export function rangeOf(
  { after, since, ascending }: PageRequest,
  upTo: Date | null = null,
): { since: string; before: string } {
  const begin = (ascending && after) || since
  const ends = [!ascending && after, upTo && new Date(upTo.getTime() + 1)].filter(
    (end) => end instanceof Date,
  )
  const [end] = ends.toSorted((a, b) => a.getTime() - b.getTime())
  return { since: begin?.toISOString() ?? '-infinity', before: end?.toISOString() ?? 'infinity' }
}
