import type { Socket } from 'node:net'
import { deserialize, serialize } from 'node:v8'

const headBytes = 4

/** Sends values over a socket, all of one turn of the event loop in one piece. */
export function createSender<T>(socket: Socket): (value: T) => void {
  let waiting: T[] = []
  return (value) => {
    if (waiting.push(value) > 1) return
    setImmediate(() => {
      const body = serialize(waiting)
      waiting = []
      const head = Buffer.allocUnsafe(headBytes)
      head.writeUInt32LE(body.length)
      socket.cork()
      socket.write(head)
      socket.write(body)
      socket.uncork()
    })
  }
}

/** Hands on what was sent so, in its order. */
export function receive<T>(socket: Socket, onValue: (value: T) => void): void {
  let parts: Buffer[] = []
  let there = 0
  let wanted = headBytes
  let isBody = false
  socket.on('data', (chunk: Buffer) => {
    parts.push(chunk)
    there += chunk.length
    while (there >= wanted) {
      const all = parts.length === 1 ? parts[0]! : Buffer.concat(parts, there)
      const piece = all.subarray(0, wanted)
      const rest = all.subarray(wanted)
      parts = rest.length > 0 ? [rest] : []
      there = rest.length
      wanted = isBody ? headBytes : piece.readUInt32LE()
      if (isBody) for (const value of deserialize(piece) as T[]) onValue(value)
      isBody = !isBody
    }
  })
}
