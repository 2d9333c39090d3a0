import { DomainError } from '../../domain/kernel/domain-error.ts'

export interface JsonBounds {
  /** How many values a body may hold: fields, items, and the objects and lists themselves. */
  maxValues: number
  maxDepth: number
}

/** More than any body has a reason to hold: the longest list that is sent has 2,000 items, twice. */
export const ordinaryBounds: JsonBounds = { maxValues: 10_000, maxDepth: 16 }

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const openList = 0x5b
const closeList = 0x5d
const openObject = 0x7b
const closeObject = 0x7d

export interface JsonMeter {
  /** Throws once the body is more than it may be; the rest of it need not be waited for. */
  add(bytes: Buffer): void
}

/**
 * Counts what parsing a body would make, before anything is made: a megabyte of empty objects or of short names takes
 * far longer to parse than a megabyte of text, and all that time nobody else is answered. Whether it is JSON at all is
 * left to the parser.
 */
export function createJsonMeter({ maxValues, maxDepth }: JsonBounds): JsonMeter {
  let values = 1
  let depth = 0
  /** How many of the next bytes belong to what was begun: negative outside of a text. */
  let textGoesOn = -1

  return {
    add(bytes) {
      const { length } = bytes
      if (length === 0) return
      let i = textGoesOn < 0 ? 0 : endOfText(bytes, textGoesOn) + 1
      let [held, open] = [values, depth]
      while (i < length) {
        const byte = bytes[i++]!
        if (byte === quote) {
          i = endOfText(bytes, i) + 1
        } else if (byte === comma) {
          held++
        } else if (byte === openList || byte === openObject) {
          held++
          if (++open > maxDepth) throw new DomainError('invalid', 'The body is nested too deep.')
        } else if (byte === closeList || byte === closeObject) {
          open--
        } else continue
        if (held > maxValues) {
          throw new DomainError('invalid', `The body holds more than ${maxValues} values. Send less at once.`)
        }
      }
      textGoesOn = i - length - 1
      values = held
      depth = open
    },
  }
}

// Most texts are short. Looking for the end of a long one is quicker by Node's own search, whose call costs as much.
const shortText = 64

/** The place of the closing quote; the length where it has not come yet, and one more where the next byte is escaped. */
function endOfText(bytes: Buffer, from: number): number {
  const { length } = bytes
  let plain = 0
  let i = from
  while (i < length) {
    const byte = bytes[i]!
    if (byte === quote) return i
    if (byte === backslash) {
      plain = 0
      i += 2
    } else if (++plain < shortText) i++
    else {
      const found = bytes.indexOf(quote, i)
      const end = found < 0 ? length : found
      const escapes = (end - 1 - lastPlain(bytes, i, end)) % 2 === 1
      if (found < 0) return escapes ? length + 1 : length
      if (!escapes) return found
      plain = 0
      i = found + 1
    }
  }
  return i
}

/** The last byte before `end` that is no backslash; before `from` none is. */
function lastPlain(bytes: Buffer, from: number, end: number): number {
  let i = end - 1
  while (i >= from && bytes[i] === backslash) i--
  return i
}
