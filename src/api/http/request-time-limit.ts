import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { ConnectionEnded } from './connections.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How the content types begin whose bodies may arrive for as long as they do not stall. */
    streamed?: string
    /** Whether it is a file, which somebody's disk gives as fast as the line takes it. */
    isFile?: true
  }
}

export interface RequestTimeLimits {
  /** In which a request must have arrived. */
  totalMs: number
  /** For how long a streamed one may bring nothing. */
  idleMs: number
  /** What a file brings at least: slower is no line that people have. */
  fileBytesPerSecond: number
}

export const requestTimeLimits: RequestTimeLimits = {
  totalMs: 120_000,
  idleMs: 60_000,
  fileBytesPerSecond: 1_000,
}

/**
 * Cuts off whoever is too slow in sending a body. Node's own `requestTimeout` makes no exception for a stream of
 * readings, which may well go on for hours; the head of a request is left to Node's `headersTimeout`.
 */
export function limitRequestTime(
  app: FastifyInstance,
  { totalMs, idleMs, fileBytesPerSecond }: RequestTimeLimits,
  ended: ConnectionEnded,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request
    const { 'content-length': length, 'transfer-encoding': encoding, 'content-type': type } = raw.headers
    if (length === undefined && encoding === undefined) return done()
    const stop = () => clearTimeout(timer)
    const late = () => {
      stop()
      if (raw.complete) return
      ended('slow body')
      cutOff(app, raw)
    }
    const { streamed, isFile } = request.routeOptions.config
    const leastBytes = isFile ? (fileBytesPerSecond * idleMs) / 1_000 : 1
    const timer =
      streamed !== undefined && (type ?? '').startsWith(streamed)
        ? setInterval(stalls(raw, leastBytes, late), idleMs)
        : setTimeout(late, totalMs)
    // A request that was answered before all of it had come is not closed where its connection ends.
    timer.unref()
    raw.once('close', stop)
    // What is left of a refused sending is let go unread, but not for ever.
    reply.raw.once('finish', () => {
      stop()
      if (!raw.complete) setTimeout(hangUp, totalMs).unref()
    })
    const hangUp = () => {
      if (raw.complete || raw.socket.destroyed) return
      ended('slow body')
      raw.socket.destroy()
    }
    done()
  })
}

/** What looks now and then whether enough has come: what came and is not read yet, is waiting for us. */
function stalls(raw: IncomingMessage, leastBytes: number, late: () => void): () => void {
  let before = raw.socket.bytesRead
  return () => {
    const waits = raw.socket.bytesRead - before < leastBytes && raw.readableLength === 0
    if (waits || raw.socket.destroyed) late()
    before = raw.socket.bytesRead
  }
}

/** As whoever answers what is no HTTP is told of it. */
export const bodyTimeout = 'BODY_TIMEOUT'

function cutOff(app: FastifyInstance, raw: IncomingMessage): void {
  const error = Object.assign(new Error('Request timeout'), { code: bodyTimeout })
  app.server.emit('clientError', error, raw.socket)
  raw.socket.destroySoon()
}
