import { createHmac, timingSafeEqual } from 'node:crypto'
import { DomainError } from '../../domain/domain-error.ts'

/** A place in a list: a time, and an ordinal where several rows share it. */
export interface Position {
  at: Date
  ordinal: number
}

export interface Cursors {
  /** `binding` is everything the cursor belongs to: list, company, other query fields. */
  write(position: Position, binding: readonly unknown[]): string
  read(cursor: string, binding: readonly unknown[]): Position
}

const positionBytes = 10
const macBytes = 16

/** Opaque cursors that cannot be altered, nor used with another list or other fields. */
export function createCursors(secret: Buffer): Cursors {
  const mac = (position: Buffer, binding: readonly unknown[]) =>
    createHmac('sha256', secret)
      .update(position)
      .update(JSON.stringify(binding))
      .digest()
      .subarray(0, macBytes)

  return {
    write({ at, ordinal }, binding) {
      const position = Buffer.alloc(positionBytes)
      position.writeBigInt64BE(BigInt(at.getTime()))
      position.writeInt16BE(ordinal, 8)
      return Buffer.concat([position, mac(position, binding)]).toString('base64url')
    },
    read(cursor, binding) {
      const bytes = Buffer.from(cursor, 'base64url')
      const position = bytes.subarray(0, positionBytes)
      const valid =
        bytes.length === positionBytes + macBytes &&
        bytes.toString('base64url') === cursor &&
        timingSafeEqual(bytes.subarray(positionBytes), mac(position, binding))
      if (!valid) {
        throw new DomainError(
          'invalid',
          'cursor: send the "next" of the page before as it is, with the same other query fields, or leave it out to begin anew.',
        )
      }
      return { at: new Date(Number(position.readBigInt64BE())), ordinal: position.readInt16BE(8) }
    },
  }
}
