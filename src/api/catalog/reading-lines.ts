import type { Readable } from 'node:stream'
import { DomainError } from '../../domain/kernel/domain-error.ts'
import { HungUp } from '../http/hang-up.ts'

export interface Line {
  /** Counted from 0, empty ones too. */
  index: number
  /** Null where it is longer than a line may be. */
  text: string | null
}

export const maxLineBytes = 65_536
/** What has no end of a line for so long is no list of readings. */
const endlessBytes = 1_048_576
const newline = 10

/**
 * The lines of a body as they arrive, a list for each chunk: what is not asked for yet is not read from the connection.
 * Of a line that is too long nothing is kept. `note` is told of each chunk. Rejects once the server stops, with the connection left open for an answer.
 */
export async function* linesOf(
  body: Readable,
  stopping: AbortSignal,
  note: (chunk: Buffer) => void = () => {},
): AsyncGenerator<Line[]> {
  let begun: Buffer[] = []
  let begunBytes = 0
  let index = 0
  const begin = (part: Buffer) => {
    begunBytes += part.length
    if (begunBytes > endlessBytes) {
      throw new DomainError(
        'invalid',
        `Line ${index} has not ended within 1 MiB. Send a reading a line; those before it were taken.`,
      )
    }
    if (begunBytes <= maxLineBytes) begun.push(part)
    else begun = []
  }
  const end = (): Line => {
    // Decoded as a whole: a character may lie across two chunks.
    const text = begunBytes > maxLineBytes ? null : Buffer.concat(begun).toString()
    begun = []
    begunBytes = 0
    return { index: index++, text }
  }
  try {
    for await (const chunk of untilStopped(body, stopping)) {
      note(chunk)
      const first = chunk.indexOf(newline)
      if (first < 0) {
        begin(chunk)
        continue
      }
      begin(chunk.subarray(0, first))
      const lines = [end()]
      const last = chunk.lastIndexOf(newline)
      if (last > first) {
        // At once: a buffer for each line would be most of the work. Chunks are no longer than a line may be.
        for (const text of chunk.toString('utf8', first + 1, last).split('\n'))
          lines.push({ index: index++, text })
      }
      begin(chunk.subarray(last + 1))
      yield lines
    }
  } catch (error) {
    if (error instanceof DomainError || !body.destroyed) throw error
    throw new HungUp()
  }
  if (begunBytes > 0) yield [end()]
}

/**
 * Also while nothing comes for long. What is left of a sending that is broken off is let go unread: cut off, its sender
 * would never read why.
 */
async function* untilStopped(body: Readable, stopping: AbortSignal): AsyncGenerator<Buffer> {
  const chunks = body.iterator({ destroyOnReturn: false })
  let breakOff = (_reason: unknown) => {}
  const stop = () => breakOff(stopping.reason)
  stopping.addEventListener('abort', stop, { once: true })
  try {
    for (;;) {
      stopping.throwIfAborted()
      const next = await new Promise<IteratorResult<Buffer>>((resolve, reject) => {
        breakOff = reject
        chunks.next().then(resolve, reject)
      })
      if (next.done) return
      yield next.value
    }
  } finally {
    stopping.removeEventListener('abort', stop)
    body.resume()
  }
}
