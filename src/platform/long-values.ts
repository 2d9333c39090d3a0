import type { EventEmitter } from 'node:events'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import pg from 'pg'
import { buffers } from './buffer-pool.ts'

// Of the protocol: each message begins with its kind and the length of what follows, itself included.
const headBytes = 5
const dataRow = 'D'.charCodeAt(0)
const copyData = 'd'.charCodeAt(0)
/** From here on the values of a row are not made strings before they are asked for. */
const longRowBytes = 8_192
const readBytes = 65_536

type Value = string | Buffer | null
type Parse = (value: string | Buffer) => unknown
type Format = 'text' | 'binary'

/** How values are read. */
export interface Types {
  getTypeParser(oid: number, format?: Format): Parse
}

/** What pg's connection has and does not describe. */
interface Connection extends EventEmitter {
  attachListeners(stream: Pick<Duplex, 'on'>): void
}

/**
 * Has a connection hand on long rows as the bytes that came. A page of a list is text that is to be sent on: made a
 * string, spliced and made bytes again it took several times its length in memory, and most of the time of the call.
 * The driver sees all other messages as before, whole ones only.
 */
export function readLongValues(client: pg.Client): void {
  const { connection } = client as unknown as { connection: Connection }
  const attach = connection.attachListeners.bind(connection)
  connection.attachListeners = (stream) => {
    let hand: (chunk: Buffer) => void = () => {}
    attach({
      // The end of the stream is noticed by who closes the connection.
      on(event: string, listener: (chunk: Buffer) => void) {
        if (event === 'data') hand = listener
        else stream.on(event, listener)
        return stream as Duplex
      },
    } as Pick<Duplex, 'on'>)
    const take = splitMessages(hand, (row) => emitRow(connection, row))
    if (stream instanceof ReadingSocket) stream.onChunk = take
    else stream.on('data', take)
  }
}

/**
 * Reads into the same memory again and again. Node makes 64 kB for each reading otherwise, which are let go when garbage
 * is collected: seldom, where answers leave little else behind.
 */
class ReadingSocket extends Socket {
  onChunk: (chunk: Buffer) => void = () => {}

  constructor() {
    super({
      onread: {
        buffer: Buffer.allocUnsafeSlow(readBytes),
        callback: (length, buffer) => {
          this.onChunk((buffer as Buffer).subarray(0, length))
          return true
        },
      },
    })
  }
}

/** TLS reads from the socket itself. */
export const openSocket = ({ ssl }: { ssl?: unknown }): Socket => (ssl ? new Socket() : new ReadingSocket())

/**
 * Takes what arrives, in pieces of any size, which are good until the next comes: long rows go to one, whole messages of
 * any other kind to the other.
 */
export function splitMessages(
  handOn: (messages: Buffer) => void,
  handRow: (row: Buffer) => void,
): (chunk: Buffer) => void {
  /** The beginning of a message whose rest has not come. */
  let begun: Buffer | null = null
  /** A long row that is coming, and how much of it is there. */
  let row: Buffer | null = null
  let there = 0
  /** Whether there is one among the messages that is kept as it is. */
  let hasCopied = false

  function hand(messages: Buffer): void {
    if (messages.length > 0) handOn(hasCopied ? Buffer.from(messages) : messages)
    hasCopied = false
  }

  return (arrived) => {
    const chunk = begun ? Buffer.concat([begun, arrived]) : arrived
    begun = null
    let at = 0
    if (row) {
      at = chunk.copy(row, there)
      there += at
      if (there < row.length) return
      const whole = row
      row = null
      handRow(whole)
    }
    let from = at
    while (chunk.length - at >= headBytes) {
      const kind = chunk[at]!
      const length = 1 + chunk.readUInt32BE(at + 1)
      if (kind === dataRow && length >= longRowBytes) {
        hand(chunk.subarray(from, at))
        const body = buffers.take(length - headBytes).subarray(0, length - headBytes)
        const copied = chunk.copy(body, 0, at + headBytes)
        at += headBytes + copied
        from = at
        if (copied < body.length) {
          row = body
          there = copied
          return
        }
        handRow(body)
        continue
      }
      if (at + length > chunk.length) break
      if (kind === copyData) hasCopied = true
      at += length
    }
    hand(chunk.subarray(from, at))
    if (at < chunk.length) begun = Buffer.from(chunk.subarray(at))
  }
}

/** Whether a value of the row that is being read is kept as it is. */
let isKept = false

function emitRow(connection: Connection, row: Buffer): void {
  isKept = false
  const fields = valuesOf(row)
  connection.emit('dataRow', { name: 'dataRow', length: row.length, fieldCount: fields.length, fields })
  if (!isKept) buffers.giveBack(row)
}

function valuesOf(row: Buffer): Value[] {
  const values = new Array<Value>(row.readInt16BE(0))
  let at = 2
  for (let i = 0; i < values.length; i++) {
    const length = row.readInt32BE(at)
    at += 4
    values[i] = length < 0 ? null : row.subarray(at, at + length)
    at += Math.max(length, 0)
  }
  return values
}

/** As the driver reads values, with long ones made the strings that it expects. */
export const usualTypes: Types = { getTypeParser: usualParser }

/** Text as bytes, which are the reader's from then on: `buffers` takes them back. */
export const textAsBytes: Types = {
  getTypeParser: (oid, format) => (oid === pg.types.builtins.TEXT ? keep : usualParser(oid, format)),
}

const parsers = new Map<string, Parse>()

function usualParser(oid: number, format: Format = 'text'): Parse {
  const key = `${oid} ${format}`
  const known = parsers.get(key)
  if (known) return known
  const parse = pg.types.getTypeParser(oid, format as 'text') as (value: string) => unknown
  const made: Parse = (value) => parse(typeof value === 'string' ? value : value.toString())
  parsers.set(key, made)
  return made
}

function keep(value: string | Buffer): Buffer {
  if (typeof value === 'string') return Buffer.from(value)
  isKept = true
  return value
}
