import { each, type Fragment, type Param, sql } from '../../../platform/sql/sql.ts'
import { anywhere, literal, searchForm } from '../../kernel/search-form.ts'

/** What was typed, as the index over the leads' texts finds it: of each word, the patterns of which one must fit. */
export type SearchWords = readonly (readonly string[])[]

const maxWords = 6
const phoneForm = /^[+(]?\d[\d\s().-]{5,}$/

/**
 * Every word must be there, in any place, with its accents and apostrophes or without. The index holds groups of three
 * letters, so a shorter word counts only where a word begins. A phone number is found by its digits, however it was
 * typed; what only looks like one, such as a long postal code, as it was typed.
 */
export function searchWords(text: string): SearchWords {
  const typed = searchForm(text).trim()
  if (phoneForm.test(typed)) return [[...new Set([typed.replace(/\D/g, ''), typed])].map(anywhere)]
  return typed
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, maxWords)
    .map((word) => (word.length < 3 ? [`${literal(word)}%`, `% ${literal(word)}%`] : [anywhere(word)]))
}

/** The condition that a column's text holds the words; empty where none are given. */
export const holds = (column: Fragment, words: Param<SearchWords>): Fragment =>
  each(
    words,
    (patterns) => sql` and (${each(patterns, (pattern) => sql`${column} like ${pattern}`, ' or ')})`,
    '',
  )
