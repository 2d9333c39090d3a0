import type { IncomingMessage } from 'node:http'

/** So much of what nobody reads is still taken in, and for so long. */
const defaultMaxBytes = 8 * 1_048_576
const defaultMaxMs = 5_000

/**
 * Takes in and drops the rest of a request that is answered already. A connection that is closed while its caller still
 * sends is reset, and the answer is lost with it: so it is closed only when all has come, or too much.
 */
export function linger(raw: IncomingMessage, maxMs = defaultMaxMs, maxBytes = defaultMaxBytes): void {
  const { socket } = raw
  if (raw.complete || raw.destroyed || lingering.has(raw)) return
  lingering.add(raw)
  const closeSoon = socket.destroySoon.bind(socket)
  let closing = false
  socket.destroySoon = () => {
    closing = true
  }
  let taken = 0
  const onData = (chunk: Buffer) => {
    taken += chunk.length
    if (taken > maxBytes) end(true)
  }
  let ended = false
  const end = (cut: boolean) => {
    if (ended) return
    ended = true
    clearTimeout(timer)
    raw.off('data', onData)
    socket.destroySoon = closeSoon
    if (cut || closing) closeSoon()
  }
  const timer = setTimeout(() => end(true), maxMs)
  timer.unref()
  raw.on('data', onData)
  raw.once('end', () => end(false))
  raw.once('close', () => end(false))
  raw.resume()
}

const lingering = new WeakSet<IncomingMessage>()
