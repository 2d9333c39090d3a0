import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionEnded } from './connections.ts'

export interface ResponseTimeLimits {
  lookMs: number
  /** What is taken at least by who takes anything; slower is no line that people or programs have. */
  bytesPerSecond: number
}

// Not more often: the system takes in advance what it holds for a slow line, and asks for more only in large parts.
export const responseTimeLimits: ResponseTimeLimits = { lookMs: 60_000, bytesPerSecond: 1_000 }

/** For how long an answer of a few hundred kilobytes may be on its way at most. */
export const slowestMs = 600_000

interface Seen {
  /** Handed over to the system whole. */
  gone: number
  /** Still in hand of what is being handed over. */
  queued: number
}

/**
 * Cuts off whoever does not take its answer, or takes it byte by byte: it keeps memory, an open file, or a place in a
 * line. One look at all connections now and then, and nothing for each answer.
 */
export function limitResponseTime(
  server: Server,
  { lookMs, bytesPerSecond }: ResponseTimeLimits,
  ended: ConnectionEnded,
): () => void {
  const waiting = new Map<Socket, Seen>()
  const sockets = new Set<Socket>()
  const leastBytes = (bytesPerSecond * lookMs) / 1_000
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => {
      sockets.delete(socket)
      waiting.delete(socket)
    })
  })
  const timer = setInterval(() => {
    for (const socket of sockets) {
      const seen = waiting.get(socket)
      if (socket.writableLength === 0) {
        if (seen) waiting.delete(socket)
        continue
      }
      const now = { gone: socket.bytesWritten - socket.writableLength, queued: queuedBytes(socket) }
      if (seen && taken(seen, now) < leastBytes) {
        ended('answer not taken')
        socket.destroy()
      } else waiting.set(socket, now)
    }
  }, lookMs)
  timer.unref()
  return () => clearInterval(timer)
}

function taken(before: Seen, now: Seen): number {
  return now.gone > before.gone ? now.gone - before.gone : before.queued - now.queued
}

/** Node tells by it itself whether a slow socket goes on: a long piece goes out in many parts. */
function queuedBytes(socket: Socket): number {
  return (socket as { _handle?: { writeQueueSize?: number } })._handle?.writeQueueSize ?? 0
}
