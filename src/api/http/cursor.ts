import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import { DomainError } from '../../domain/kernel/domain-error.ts'

/** A place in a list: a time, and an ordinal where several rows share it. */
export interface Position {
  at: Date
  ordinal: number
}

export interface Cursors {
  /** `binding` is everything the cursor belongs to: list, company, other query fields. */
  write(position: Position, binding: readonly unknown[]): string
  /** `refusal` says what to send instead. */
  read(cursor: string, binding: readonly unknown[], refusal?: string): Position
  /** The same for lists in the order of their ids. */
  writeId(id: string, binding: readonly unknown[]): string
  readId(cursor: string, binding: readonly unknown[]): string
}

const cursorForm = /^([0-9a-z]{1,11}-[0-9a-z]{1,4}|[0-9a-z_]{1,50})\.([\w-]{22})$/
const macCharacters = 22
/** Some 300 bytes each. */
const maxKept = 5_000

const notOurs =
  'cursor: send the "next" of the page before as it is, with the same other query fields, or leave it out to begin anew.'

/** Opaque cursors that cannot be altered, nor used with another list or other fields. */
export function createCursors(secret: Buffer): Cursors {
  const key = createSecretKey(secret)
  const signed = (position: string, binding: readonly unknown[]) => `${position} ${JSON.stringify(binding)}`
  const mac = (text: string) =>
    createHmac('sha256', key).update(text).digest('base64url').slice(0, macCharacters)
  const written = new Map<string, string>()

  function write(position: string, binding: readonly unknown[]): string {
    const text = signed(position, binding)
    // Who polls gets the same page, so the same cursor, again and again: an HMAC is a twentieth of a list's time.
    const known = written.get(text)
    if (known) return known
    const cursor = `${position}.${mac(text)}`
    if (written.size >= maxKept) written.clear()
    written.set(text, cursor)
    return cursor
  }

  function read(cursor: string, binding: readonly unknown[], refusal = notOurs): string {
    const [, position = '', signature = ''] = cursorForm.exec(cursor) ?? []
    const expected = Buffer.from(mac(signed(position, binding)))
    if (signature.length === macCharacters && timingSafeEqual(Buffer.from(signature), expected))
      return position
    throw new DomainError('invalid', refusal)
  }

  return {
    write: ({ at, ordinal }, binding) =>
      write(`${at.getTime().toString(36)}-${ordinal.toString(36)}`, binding),
    read(cursor, binding, refusal) {
      const [at = '', ordinal = ''] = read(cursor, binding, refusal).split('-')
      return { at: new Date(Number.parseInt(at, 36)), ordinal: Number.parseInt(ordinal, 36) }
    },
    writeId: write,
    readId: read,
  }
}
