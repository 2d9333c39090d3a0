import type { Call } from './request.ts'

/** Calls as they are kept, a line each. */
export interface Lines {
  bytes: Buffer
  length: number
}

const firstBytes = 512

export function createLines(): Lines {
  return { bytes: Buffer.allocUnsafe(firstBytes), length: 0 }
}

/** What the numbers of a line and what stands between them take at most. */
const numberBytes = 96
const bytesOfLetter = 2
const tab = 0x09
const point = 0x2e
const zero = 0x30
const timesSign = 0x78

/**
 * Nothing in an address or an id can hold a tab or a line break, nor anything that takes more than two bytes. Digits are
 * written one by one: by texts it takes twice as long.
 */
export function addLine(lines: Lines, call: Call): void {
  const words = `${call.method}\t${call.route}\t${call.path}\t${call.requestId}\n`
  const bytes = roomFor(lines, numberBytes + bytesOfLetter * words.length)
  const hundredths = Math.round(call.durationMs * 100)
  let end = putNumber(bytes, lines.length, call.at)
  bytes[end++] = tab
  end = putNumber(bytes, end, call.status)
  if (call.times !== undefined) {
    bytes[end++] = timesSign
    end = putNumber(bytes, end, call.times)
  }
  bytes[end++] = tab
  end = putNumber(bytes, end, Math.floor(hundredths / 100))
  bytes[end++] = point
  end = putDigits(bytes, end, hundredths % 100, 2)
  bytes[end++] = tab
  if (call.bytes !== null) end = putNumber(bytes, end, call.bytes)
  bytes[end++] = tab
  lines.length = end + bytes.write(words, end, 'utf8')
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

/** How a line ends, by which a request is found. */
export function endOfLine(requestId: string): string {
  return `\t${requestId}\n`
}

export function callsIn(text: string): Call[] {
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => {
      const [at, said, durationMs, bytes, method, route, path, requestId] = line.split('\t')
      const [status, times] = said!.split('x')
      return {
        at: Number(at),
        status: Number(status),
        durationMs: Number(durationMs),
        bytes: bytes ? Number(bytes) : null,
        method: method!,
        route: route!,
        path: path!,
        requestId: requestId!,
        ...(times === undefined ? {} : { times: Number(times) }),
      }
    })
}
