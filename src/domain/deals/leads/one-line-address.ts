import { isDeepStrictEqual } from 'node:util'
import type { Address } from '../../kernel/contact.ts'
import { boxLength, lastUnit, ownUnits, type Part, plain, surelyUnits, unitsFrom } from './address-units.ts'
import {
  bareStreets,
  cityWordsAfter,
  closingDirections,
  countryNames,
  directions,
  doubtfulUnits,
  looseSuffixes,
  numberedRoads,
  spelledNumbers,
  stateCodes,
  suffixes,
} from './us-postal-words.ts'

/** "Joint Base Mcguire Dix Lakehurst" is the longest; the limit also bounds the search for the city. */
const maxCityWords = 5

interface Street {
  line1: string
  units: string[]
}

/** `1 Market St, Unit 4, San Diego, CA 92101`: what is not known is left out, and so is the country at home. */
export function oneLine(address: Address): string {
  const { line1, line2, city, state, postalCode, country } = address
  const stateAndZip = [state, postalCode].filter(Boolean).join(' ')
  return [line1, line2, city, stateAndZip, country === 'US' ? null : country].filter(Boolean).join(', ')
}

/**
 * What is not understood with confidence stays whole in `line1`, because a wrong city costs more than a
 * missing one. An address that its own line does not give back was not understood either: it would change
 * each time a client reads and writes it.
 */
export function parseAddress(text: string): Address {
  const address = readAddress(text)
  if (address && isDeepStrictEqual(readAddress(oneLine(address)), address)) return address
  return { line1: text.trim(), line2: null, city: null, state: null, postalCode: null, country: null }
}

/**
 * Reads an American address from its end: country, ZIP, state, city, then street and units. No step looks
 * back over the text again, so hostile text takes no longer than other text.
 */
function readAddress(text: string): Address | null {
  const parts = commaParts(text)
  takeCountry(parts)
  const postalCode = takeZip(parts)
  const state = postalCode === null ? null : takeState(parts)
  if (postalCode === null || state === null) return null
  // DE is Germany too, with five digits as well; Delaware's ZIPs all begin with 197 to 199.
  if (state === 'DE' && !/^19[789]/.test(postalCode)) return null

  const read = readStreetAndCity(parts, state)
  if (read === null) return null
  const line2 = read.units.length > 0 ? read.units.join(', ') : null
  return { line1: read.line1, line2, city: read.city, state, postalCode, country: 'US' }
}

/** A line break is a comma, and so is a dash by itself. The end is trimmed by hand: `/[\s,.]+$/` would take quadratic time. */
function commaParts(text: string): Part[] {
  let end = text.length
  while (end > 0 && /[\s,.]/.test(text[end - 1]!)) end--
  const parts = text.slice(0, end).split(/[,\n\r\v\f\u2028\u2029]|(?<=^|[\s,])[-–](?=$|[\s,])/)
  return parts.map((part) => part.split(/\s+/).filter(Boolean)).filter((part) => part.length > 0)
}

/** Removes words from the end of the text, and the part with them when nothing of it is left. */
function drop(parts: Part[], count: number): void {
  const last = parts.at(-1)!
  last.splice(-count)
  if (last.length === 0) parts.pop()
}

function takeCountry(parts: Part[]): void {
  const last = parts.at(-1) ?? []
  for (let count = Math.min(4, last.length); count > 0; count--) {
    if (!countryNames.has(last.slice(-count).map(plain).join(''))) continue
    drop(parts, count)
    return
  }
}

function takeZip(parts: Part[]): string | null {
  const last = parts.at(-1) ?? []
  for (const count of [2, 1]) {
    const zip = /^(\d{5})(?:[-– ]?(\d{4}))?$/.exec(last.slice(-count).join(' '))
    if (zip === null) continue
    drop(parts, count)
    return zip[2] ? `${zip[1]}-${zip[2]}` : zip[1]!
  }
  return null
}

function takeState(parts: Part[]): string | null {
  const last = parts.at(-1) ?? []
  // The longest first: West Virginia ends with another state's name.
  for (let count = Math.min(3, last.length); count > 0; count--) {
    const tail = last.slice(-count).map(plain)
    const initials = tail.every((word) => word.length === 1)
    const code = stateCodes.get(tail.join(initials ? '' : ' '))
    if (code === undefined) continue
    // Baja California is in Mexico.
    if (plain(last.at(-count - 1)) === 'baja') return null
    drop(parts, count)
    return code
  }
  return null
}

function readStreetAndCity(parts: Part[], state: string): (Street & { city: string }) | null {
  const before = parts.slice(0, -1)
  const last = parts.at(-1) ?? []

  const leading = unitsFrom(last, 0)
  const city = last.slice(leading.end)
  const street = isCity(city) ? readStreet(before, state) : null
  if (street) return { line1: street.line1, units: [...street.units, ...leading.units], city: city.join(' ') }

  const split = splitStreetFromCity(last)
  const splitStreet = split && readStreet([...before, split.street], state)
  if (!split || !splitStreet) return null
  const units = [...splitStreet.units, ...split.units]
  return { line1: splitStreet.line1, units, city: split.city.join(' ') }
}

/** What comes before the city: a street, before it perhaps a name or a unit, after it only units. */
function readStreet(parts: Part[], state: string): Street | null {
  const [first, second] = parts
  if (!first || !second || !startsDelivery(second) || surelyUnits(second))
    return readPlainStreet(parts, state)
  // A box after a street is its second line, after a name it is the place itself.
  if (boxLength(second) > 0 && isStreet(first, state)) return readPlainStreet(parts, state)

  const street = readPlainStreet(parts.slice(1), state)
  if (!street) return null
  // "Suite 200, 350 5th Ave": the unit belongs to the second line.
  const moved = surelyUnits(first)
  if (moved) return { line1: street.line1, units: [...street.units, ...moved] }
  // A building or recipient ("Empire State Building, 350 5th Ave") stays before the street, as on an
  // envelope: it is no unit, the carrier reads it together with the street, and the text keeps its order.
  const isName = !/\d/.test(first.join(''))
  return isName ? { line1: `${first.join(' ')}, ${street.line1}`, units: street.units } : null
}

function readPlainStreet([street, ...others]: Part[], state: string): Street | null {
  if (!street) return null
  const words = [...street]
  // "1600 Pennsylvania Ave, NW, Washington": the direction is the street's.
  if (others[0]?.length === 1 && directions.has(plain(others[0][0]))) words.push(...others.shift()!)

  const units: string[] = []
  for (let start = lastUnit(words); start > 0; start = lastUnit(words)) {
    units.unshift(words.splice(start).join(' '))
  }
  for (const part of others) {
    const own = ownUnits(part)
    // A county, a borough or a hamlet: which of them is the city is anybody's guess.
    if (!own) return null
    units.push(...own)
  }
  return isStreet(words, state) ? { line1: words.join(' '), units } : null
}

/** Street and city without a comma between them, told apart by the word that ends the street. */
function splitStreetFromCity(words: Part): { street: Part; units: string[]; city: Part } | null {
  const splitAt = (end: number) => {
    const { units, end: start } = unitsFrom(words, end)
    const city = words.slice(start, start + maxCityWords + 1)
    return isCity(city) ? { street: words.slice(0, end), units, city } : null
  }
  const box = boxLength(words)
  if (box > 0) return splitAt(box)
  const name = nameStart(words)
  if (name === 0) return null
  if (isGrid(words)) return splitAt(4)

  // The last suffix, since names hold suffixes of their own ("Old Court Rd") and cities hardly do.
  for (let at = words.length - 1; at >= name; at--) {
    const end = streetEnd(words, at, name)
    const split = end > 0 && splitAt(end)
    if (split) return split
  }
  const splits = words.flatMap((word, at) => {
    const loose = at > name && looseSuffixes.has(plain(word))
    const bare = at >= name && bareStreets.has(plain(word))
    return loose || bare ? (splitAt(afterDirection(words, at + 1)) ?? []) : []
  })
  return splits.length === 1 ? splits[0]! : null
}

/** Where the street ends whose suffix is the word at `at`; 0 when that word ends no street. */
function streetEnd(words: Part, at: number, name: number): number {
  const [word, next, afterNext] = [at, at + 1, at + 2].map((index) => plain(words[index]))
  if (numberedRoads.has(word!) && /^(?:\d+[a-z]?|[a-z])$/.test(next!)) return afterDirection(words, at + 2)
  if (!suffixes.has(word!) || cityWordsAfter.get(word!)?.has(next!)) return 0
  // "Avenue of the Americas", "Avenue of the Stars".
  if (next === 'of' && afterNext === 'the' && at + 3 < words.length) return at + 4
  return at > name ? afterDirection(words, at + 1) : 0
}

function afterDirection(words: Part, at: number): number {
  return closingDirections.has(plain(words[at])) ? at + 1 : at
}

/** Where the street's name begins after the house number; 0 without one. */
function nameStart(words: Part): number {
  if (words.length < 2) return 0
  const first = plain(words[0])
  // "12", "12A", "123-45", and Wisconsin's "N6W23001".
  if (!/^[nsew]?\d/.test(first) && !spelledNumbers.has(first)) return 0
  return /^\d\/\d$/.test(words[1]!) ? 2 : 1
}

/** "842 E 1700 S", as in Utah. */
function isGrid(words: Part): boolean {
  const [, from, number, to] = words
  return directions.has(plain(from)) && /^\d+$/.test(number ?? '') && directions.has(plain(to))
}

/** Whether the part begins as only a place of delivery does. */
function startsDelivery(words: Part): boolean {
  return nameStart(words) > 0 || boxLength(words) > 0
}

function isStreet(words: Part, state: string): boolean {
  const box = boxLength(words)
  if (box > 0) return box === words.length
  // Puerto Rico names streets in Spanish, with the number behind: "Calle Luna 5".
  if (nameStart(words) > 0 || (state === 'PR' && words.length > 1)) return true
  // Without a number only what ends as a street does: elsewhere "Via Roma 5, Milano, MI 20121" is an address.
  const last = words.length - 1
  if (last > 0 && looseSuffixes.has(plain(words[last]))) return true
  return [last - 2, last - 1, last].some((at) => at >= 0 && streetEnd(words, at, 0) === words.length)
}

function isCity(words: Part): boolean {
  if (words.length === 0 || words.length > maxCityWords) return false
  const [first, second] = words.map(plain)
  if (words.length === 1 && (doubtfulUnits.has(first!) || directions.has(first!))) return false
  // "29 Palms" and "1000 Palms", California.
  if (words.length === 2 && second === 'palms' && /^\d+$/.test(first!)) return true
  return /^\p{L}[\p{L}\p{M}.'’ -]+$/u.test(words.join(' '))
}
