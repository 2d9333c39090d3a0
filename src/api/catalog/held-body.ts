import type { Readable } from 'node:stream'
import { DomainError } from '../../domain/domain-error.ts'
import { createBufferPool } from '../../platform/buffer-pool.ts'
import { LineFull } from '../../platform/waiting-line.ts'
import { HungUp } from '../http/hang-up.ts'
import { createJsonMeter, type JsonBounds } from '../http/json-meter.ts'

const smallestBytes = 131_072
const maxHeldBytes = 128 * 1_048_576
const buffers = createBufferPool(smallestBytes, 16 * 1_048_576)
let heldBytes = 0

const decoder = new TextDecoder('utf-8', { fatal: true })

export interface HeldBody {
  /** Its text, once; it is let go. */
  takeText(): string
  letGo(): void
}

/**
 * Holds a body until its turn comes, in a buffer that is used again: bodies that wait outlive the quick collections of
 * garbage, and were most of the server's memory. What all of them hold together is bounded, and so is what parsing one
 * would make: more than that is refused as it arrives.
 */
export async function holdBody(
  payload: Readable,
  limitBytes: number,
  tooLarge: string,
  bounds: JsonBounds,
): Promise<HeldBody> {
  const meter = createJsonMeter(bounds)
  let buffer = take(smallestBytes)
  let length = 0
  try {
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
    giveBack(buffer)
    if (!payload.destroyed) payload.resume()
    if (error instanceof DomainError || error instanceof LineFull) throw error
    throw new HungUp()
  }
  let held: Buffer | null = buffer
  const letGo = () => {
    if (held) giveBack(held)
    held = null
  }
  return {
    letGo,
    takeText() {
      if (held === null) throw new HungUp()
      try {
        return decoder.decode(held.subarray(0, length))
      } finally {
        letGo()
      }
    },
  }
}

function take(bytes: number): Buffer {
  if (heldBytes + bytes > maxHeldBytes) throw new LineFull('bodies fill the memory set aside for them')
  heldBytes += bytes
  return buffers.take(bytes)
}

function giveBack(buffer: Buffer): void {
  heldBytes -= buffer.length
  buffers.giveBack(buffer)
}
