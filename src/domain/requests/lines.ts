import type { Noted } from './notes.ts'
import type { Call } from './request.ts'

/** Calls as they are kept, a line each. In bytes, since texts that wait would be copied by each collection of garbage. */
export interface Lines {
  bytes: Buffer
  length: number
}

const firstBytes = 512

export function newLines(): Lines {
  return { bytes: Buffer.allocUnsafe(firstBytes), length: 0 }
}

/** What the numbers of a line and what stands between them take at most. */
const numberBytes = 64
const tab = 0x09
const lineBreak = 0x0a
const point = 0x2e
const zero = 0x30

/**
 * Nothing in an address or an id can hold a tab or a line break, nor anything beyond Latin-1. Digits are written one by
 * one: by texts it takes twice as long.
 */
export function addLine(lines: Lines, noted: Noted): void {
  const { method, route, asked, askedFrom, askedTo } = noted
  const bytes = roomFor(lines, numberBytes + method.length + route.length + askedTo - askedFrom)
  const hundredths = Math.round(noted.durationMs * 100)
  let end = putNumber(bytes, lines.length, noted.at)
  bytes[end++] = tab
  end = putNumber(bytes, end, noted.status)
  bytes[end++] = tab
  end = putNumber(bytes, end, Math.floor(hundredths / 100))
  bytes[end++] = point
  end = putDigits(bytes, end, hundredths % 100, 2)
  bytes[end++] = tab
  if (noted.bytes >= 0) end = putNumber(bytes, end, noted.bytes)
  bytes[end++] = tab
  end += bytes.write(method, end, 'latin1')
  bytes[end++] = tab
  end += bytes.write(route, end, 'latin1')
  bytes[end++] = tab
  end += asked.copy(bytes, end, askedFrom, askedTo)
  bytes[end++] = lineBreak
  lines.length = end
}

function roomFor(lines: Lines, more: number): Buffer {
  const needed = lines.length + more
  if (needed > lines.bytes.length) {
    const larger = Buffer.allocUnsafe(needed * 2)
    lines.bytes.copy(larger, 0, 0, lines.length)
    lines.bytes = larger
  }
  return lines.bytes
}

/** In halves of six digits: the processor divides small numbers more quickly. */
function putNumber(bytes: Buffer, at: number, number: number): number {
  if (number < 1_000_000) return putDigits(bytes, at, number, digitsOf(number))
  const high = Math.floor(number / 1_000_000)
  return putDigits(bytes, putNumber(bytes, at, high), number - high * 1_000_000, 6)
}

function digitsOf(number: number): number {
  let digits = 1
  for (let limit = 10; number >= limit; limit *= 10) digits++
  return digits
}

function putDigits(bytes: Buffer, at: number, number: number, digits: number): number {
  let rest = number | 0
  for (let i = at + digits - 1; i >= at; i--) {
    const tens = (rest / 10) | 0
    bytes[i] = zero + rest - tens * 10
    rest = tens
  }
  return at + digits
}

export function bytesOf({ bytes, length }: Lines): Buffer {
  return bytes.subarray(0, length)
}

/** How a line ends, by which a request is found. */
export function endOfLine(requestId: string): string {
  return `\t${requestId}\n`
}

export function callsIn(text: string): Call[] {
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => {
      const [at, status, durationMs, bytes, method, route, path, requestId] = line.split('\t')
      return {
        at: Number(at),
        status: Number(status),
        durationMs: Number(durationMs),
        bytes: bytes ? Number(bytes) : null,
        method: method!,
        route: route!,
        path: path!,
        requestId: requestId!,
      }
    })
}
