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

/** Nothing in an address or an id can hold a tab or a line break, nor anything beyond Latin-1. */
export function addLine(
  lines: Lines,
  { at, status, durationMs, bytes, method, route, path, requestId }: Call,
): void {
  const line = `${at}\t${status}\t${durationMs}\t${bytes ?? ''}\t${method}\t${route}\t${path}\t${requestId}\n`
  const needed = lines.length + line.length
  if (needed > lines.bytes.length) {
    const more = Buffer.allocUnsafe(needed * 2)
    lines.bytes.copy(more, 0, 0, lines.length)
    lines.bytes = more
  }
  lines.length += lines.bytes.write(line, lines.length, 'latin1')
}

export function textOf({ bytes, length }: Lines): string {
  return bytes.toString('latin1', 0, length)
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
