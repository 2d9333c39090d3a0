import { each, type Fragment, type Param, param, sql } from '../../../platform/sql/sql.ts'
import { anywhere, literal, searchForm } from '../../kernel/search-form.ts'

/** What the index is asked for, and what must fit as a whole where that is more. */
type Pattern = readonly [indexed: string, whole: readonly string[]]

/** Patterns that must all fit. */
type Way = readonly Pattern[]

/** What was typed, as the index over the leads' texts finds it: of each word, the ways of which one must fit. */
export type SearchWords = readonly (readonly Way[])[]

/** Further ones are not looked for. */
export const maxWords = 6
const phoneForm = /^[+(]?\d[\d\s().-]{5,}$/

/**
 * Every word must be there, in any place, with its accents and apostrophes or without. The index holds groups of three
 * letters, so a shorter word counts only where a word begins. A phone number is found by its digits, however it was
 * typed; what only looks like one, such as a house number and a postal code, word by word.
 */
export function searchWords(text: string): SearchWords {
  const typed = searchForm(text).trim()
  const words = typed
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, maxWords)
  if (phoneForm.test(typed) && /\D/.test(typed)) {
    const digits = typed.replace(/\D/g, '')
    // What holds it as it was typed then holds its digits too.
    if (typed.endsWith(digits)) return [[[within(digits)]]]
    return [[[within(digits)], words.map(numberWithin)]]
  }
  return words.map((word) =>
    word.length < 3 ? [[same(`${literal(word)}%`)], [sameInside(word)]] : [[within(word)]],
  )
}

const same = (pattern: string): Pattern => [pattern, []]
const sameInside = (word: string) => same(`% ${literal(word)}%`)

/** One of several numbers: a short one counts behind a space alone, as leads' texts begin with a name. */
const numberWithin = (word: string): Pattern => (word.length < 3 ? sameInside(word) : within(word))

/** What tells ids, numbers and addresses from each other is at their end, or before the @: the rest is in too many. */
const tellingCharacters = 8
// With the @, fewer are known to be the last.
const digitsAtEnd = /\d{6}(?=@|$)|\d{3,5}@/

/**
 * The index goes through what it has of every three letters: of a long word, so many as tell it from others will do, of
 * digits fewer than of letters.
 */
function within(word: string): Pattern {
  const end = word.indexOf('@') + 1 || word.length
  const telling = digitsAtEnd.exec(word)?.[0] ?? [...word.slice(0, end)].slice(-tellingCharacters).join('')
  return telling.length < 3 || telling === word ? same(anywhere(word)) : [anywhere(telling), [anywhere(word)]]
}

/** Whether an id, a number or an address is among them, which so few hold that the index is asked at once. */
export const areTelling = (words: SearchWords): boolean => words.some((ways) => ways.every(isTelling))

/** Whether one of them is a number so long that few leads hold it, be they whose they may: no house's, area's or postal code. */
export const haveLongNumber = (words: SearchWords): boolean =>
  words.some((ways) => ways.every((way) => way.some(([indexed]) => /\d{6}/.test(indexed))))

/** Several numbers tell together what a long one does. */
function isTelling(way: Way): boolean {
  const patterns = way.map(([indexed, whole]) => whole[0] ?? indexed)
  const digits = patterns.map((one) => one.replace(/\D/g, '').length).filter((length) => length > 2)
  return (
    digits.reduce((sum, length) => sum + length, 0) >= tellingCharacters ||
    patterns.some((one) => one.length >= tellingCharacters && /[\d@]/.test(one))
  )
}

/** Three characters that the index holds: it knows letters and digits alone, and may know no others than these. */
const group = /(?=([a-z0-9]{3}))/g
const isLetters = /^%([^%_\\]+)%$/

/**
 * The same words with three letters of each for the index, which goes through what it has of every group of three. Of several words,
 * so few tell most others apart; where they do not, the words are asked for as they are.
 */
export function inBrief(words: SearchWords): SearchWords | null {
  if (words.length < 2) return null
  return words.map((ways) => ways.map((way) => way.map(briefly)))
}

// From the middle of a word: many begin or end alike.
function briefly([indexed, whole]: Pattern): Pattern {
  const groups = [...(isLetters.exec(indexed)?.[1] ?? '').matchAll(group)]
  if (groups.length < 2) return [indexed, whole]
  const [, some] = groups[(groups.length - 1) >> 1]!
  return [anywhere(some!), whole.length > 0 ? whole : [indexed]]
}

/** The condition that a column's text holds the words; empty where none are given. */
export const holds = (column: Fragment, words: Param<SearchWords>): Fragment =>
  conditionOf(words, (pattern) => sql`${mayFit(column, pattern)}${fits(column, pattern)}`)

/** The same as far as the index tells. */
export const mayHold = (column: Fragment, words: Param<SearchWords>): Fragment =>
  conditionOf(words, (pattern) => mayFit(column, pattern))

/** What is left to be asked of a text that may hold them. */
export const holdsWhole = (column: Fragment, words: Param<SearchWords>): Fragment =>
  conditionOf(words, (pattern) => sql`true${fits(column, pattern)}`)

function conditionOf(words: Param<SearchWords>, condition: (pattern: Param<Pattern>) => Fragment): Fragment {
  const allOf = (way: Param<Way>) => sql`(${each(way, condition, ' and ')})`
  return each(words, (ways) => sql` and (${each(ways, allOf, ' or ')})`, '')
}

const mayFit = (column: Fragment, { param: place }: Param<Pattern>): Fragment =>
  sql`${column} like ${param<string>(`${place}.0`)}`

// The index does not see what is put together first.
const fits = (column: Fragment, { param: place }: Param<Pattern>): Fragment =>
  each(param<readonly string[]>(`${place}.1`), (whole) => sql` and ${column} || '' like ${whole}`, '')
