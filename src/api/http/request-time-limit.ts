import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How the content types begin whose bodies may arrive for as long as they do not stall. */
    streamed?: string
  }
}

export interface RequestTimeLimits {
  /** In which a request must have arrived. */
  totalMs: number
  /** For how long a streamed one may bring nothing. */
  idleMs: number
}

export const requestTimeLimits: RequestTimeLimits = { totalMs: 120_000, idleMs: 60_000 }

/**
 * Cuts off whoever is too slow in sending a body. Node's own `requestTimeout` makes no exception for a stream of
 * readings, which may well go on for hours; the head of a request is left to Node's `headersTimeout`.
 */
export function limitRequestTime(app: FastifyInstance, { totalMs, idleMs }: RequestTimeLimits): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request
    const { 'content-length': length, 'transfer-encoding': encoding, 'content-type': type } = raw.headers
    if (length === undefined && encoding === undefined) return done()
    const stop = () => clearTimeout(timer)
    const late = () => {
      stop()
      cutOff(app, raw)
    }
    const { streamed } = request.routeOptions.config
    const timer =
      streamed !== undefined && (type ?? '').startsWith(streamed)
        ? setInterval(stalls(raw, late), idleMs)
        : setTimeout(late, totalMs)
    // A request that was answered before all of it had come is not closed where its connection ends.
    timer.unref()
    raw.once('close', stop)
    // What is left of a refused sending is let go unread, but not for ever.
    reply.raw.once('finish', () => {
      if (!raw.complete) setTimeout(() => raw.complete || raw.socket.destroy(), totalMs).unref()
    })
    done()
  })
}

/** What looks now and then whether anything has come: what came and is not read yet, is waiting for us. */
function stalls(raw: IncomingMessage, late: () => void): () => void {
  let before = raw.socket.bytesRead
  return () => {
    const waits = raw.socket.bytesRead === before && raw.readableLength === 0
    if (waits || raw.socket.destroyed) late()
    before = raw.socket.bytesRead
  }
}

function cutOff(app: FastifyInstance, raw: IncomingMessage): void {
  if (raw.complete) return
  const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
  app.server.emit('clientError', error, raw.socket)
  raw.socket.destroySoon()
}
