import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { DomainError } from '../../domain/kernel/domain-error.ts'
import { createBufferPool } from '../../platform/buffer-pool.ts'
import { QueueBusy } from '../../platform/fair-queue.ts'
import type { Held } from '../../platform/memory-budget.ts'
import { HungUp } from '../http/hang-up.ts'
import { createJsonMeter, type JsonBounds } from '../http/json-meter.ts'

const smallestBytes = 131_072
const buffers = createBufferPool(smallestBytes, 4 * 1_048_576)

const decoder = new TextDecoder('utf-8', { fatal: true })

export interface HeldBody {
  /** Its text, once; it is let go. */
  takeText(): string
  /** By which the same bytes are known. */
  digest(): string
  letGo(): void
}

/**
 * Holds a body until its turn comes, in a buffer that is used again: bodies that wait outlive the quick collections of
 * garbage, and were most of the server's memory. What a company's hold together is bounded, and so is what parsing one
 * would make: more than that is refused as it arrives.
 */
export async function holdBody(
  payload: Readable,
  held: Held,
  limitBytes: number,
  tooLarge: string,
  bounds: JsonBounds,
): Promise<HeldBody> {
  const meter = createJsonMeter(bounds)
  let buffer: Buffer | null = null
  let length = 0
  const take = (bytes: number) => {
    held.grow(bytes)
    return buffers.take(bytes)
  }
  const giveBack = (given: Buffer) => {
    held.shrink(given.length)
    buffers.giveBack(given)
  }
  const letGo = () => {
    if (buffer) giveBack(buffer)
    buffer = null
    held.letGo()
  }
  try {
    buffer = take(smallestBytes)
    // Let be when it is left: the answer goes by the same connection.
    for await (const chunk of payload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if (length + chunk.length > limitBytes) throw new DomainError('invalid', tooLarge)
      meter.add(chunk)
      while (length + chunk.length > buffer.length) {
        const larger = take(buffer.length * 2)
        buffer.copy(larger, 0, 0, length)
        giveBack(buffer)
        buffer = larger
      }
      length += chunk.copy(buffer, length)
    }
  } catch (error) {
    letGo()
    if (!payload.destroyed) payload.resume()
    if (error instanceof DomainError || error instanceof QueueBusy) throw error
    throw new HungUp()
  }
  return {
    letGo,
    digest() {
      if (buffer === null) throw new HungUp()
      return createHash('sha256').update(buffer.subarray(0, length)).digest('hex')
    },
    takeText() {
      if (buffer === null) throw new HungUp()
      try {
        return decoder.decode(buffer.subarray(0, length))
      } finally {
        letGo()
      }
    },
  }
}
