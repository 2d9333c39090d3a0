import {
  closingDirections,
  doubtfulUnits,
  spelledFloors,
  suffixes,
  unitWords,
  unnumberedUnits,
} from './us-postal-words.ts'

/** The words between two commas. */
export type Part = string[]

export function plain(word: string | undefined): string {
  return word === undefined ? '' : word.replaceAll('.', '').toLowerCase()
}

/** How many words a post office box, rural route or military box takes at the beginning. */
export function boxLength(words: Part): number {
  const text = words.slice(0, 6).map(plain).join(' ')
  const found =
    /^(?:(?:p ?o ?|post office )(?:box|drawer)|pob) \S+/.exec(text) ??
    /^(?:(?:rr|rfd|hcr?|rural route|star route|psc|cmr|unit) ?#?\d\S*)(?: box \S+)/.exec(text) ??
    /^(?:(?:rr|rfd|hcr?|rural route|star route) ?#?\d\S*|box \d\S*|general delivery)(?= |$)/.exec(text)
  return found ? found[0].split(' ').length : 0
}

/** How many words the unit at `at` takes; 0 when there is none. */
function unitLength(words: Part, at: number): number {
  const [word, next] = [plain(words[at]), plain(words[at + 1])]
  if (/^(?:floor|flr?)$/.test(next) && (/^\d+(?:st|nd|rd|th)$/.test(word) || spelledFloors.has(word)))
    return 2
  if (word === '#' || unitWords.has(word)) {
    const sign = word !== '#' && /^(?:#|no|number)$/.test(next) ? 1 : 0
    if (isUnitNumber(plain(words[at + 1 + sign]))) return withLetter(words, at, 2 + sign)
  }
  if (unnumberedUnits.has(word)) return 1
  // "#4", "Apt#4", "Ste200".
  const [, name, number] = /^([a-z]*)(#[a-z0-9].*|\d.*)$/.exec(word) ?? []
  const glued =
    number !== undefined && isUnitNumber(number) && (name ? unitWords.has(name) : number[0] === '#')
  return glued ? withLetter(words, at, 1) : 0
}

/** "Apt 4 B" at the end only: before a city the letter may be the city's ("Apt 4 W Hollywood"). */
function withLetter(words: Part, at: number, length: number): number {
  return at + length === words.length - 1 && /^[a-z]$/i.test(words.at(-1)!) ? length + 1 : length
}

function isUnitNumber(word: string): boolean {
  const number = word.startsWith('#') ? word.slice(1) : word
  return (
    /^[a-z0-9][a-z0-9/&-]*$/.test(number) && (number.length === 1 || number === 'ph' || /\d/.test(number))
  )
}

/** The units that stand one after another from `at` on. */
export function unitsFrom(words: Part, at: number): { units: string[]; end: number } {
  const units: string[] = []
  let end = at
  for (let length = unitLength(words, end); length > 0; length = unitLength(words, end)) {
    units.push(words.slice(end, end + length).join(' '))
    end += length
  }
  return { units, end }
}

/** Where a last unit begins behind a street of at least two words; 0 when there is none. */
export function lastUnit(words: Part): number {
  const end = words.length
  for (let start = Math.max(2, end - 4); start < end; start++) {
    if (unitLength(words, start) === end - start) return start
  }
  const before = plain(words[end - 2])
  const afterStreet = suffixes.has(before) || closingDirections.has(before)
  return end > 2 && afterStreet && doubtfulUnits.has(plain(words[end - 1])) ? end - 1 : 0
}

export function surelyUnits(words: Part): string[] | null {
  const { units, end } = unitsFrom(words, 0)
  return end === words.length ? units : null
}

/** The units of a part between street and city. There a unit may be looser: "Tower North", "4B", "PO Box 12". */
export function ownUnits(words: Part): string[] | null {
  const sure = surelyUnits(words)
  if (sure) return sure
  const [first] = words.map(plain)
  const named = words.length <= 4 && unitWords.has(first!)
  const bare = words.length === 1 && (doubtfulUnits.has(first!) || /^[a-z]?-?\d{1,5}-?[a-z]?$/.test(first!))
  return named || bare || boxLength(words) === words.length ? [words.join(' ')] : null
}
