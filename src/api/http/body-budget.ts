import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Share } from '../../platform/fair-queue.ts'
import { createMemoryBudget, type MemoryBudget } from '../../platform/memory-budget.ts'
import { HungUp } from './hang-up.ts'
import { requestTimeLimits } from './request-time-limit.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route counts what it holds of a body itself, as it arrives. */
    countsItsBody?: true
  }
}

const megabyte = 1_048_576

/**
 * For bodies that are being received, or wait for their turn. A company can fill its own share only: 48 of the longest
 * ordinary bodies, or five of the longest of readings.
 */
export function createBodyBudget(): MemoryBudget {
  return createMemoryBudget({
    max: { all: 128 * megabyte, group: 64 * megabyte, owner: 48 * megabyte },
    maxHoldMs: requestTimeLimits.totalMs,
  })
}

/** As many of these as there can be connections are no burden. */
const smallBytes = 16_384

/**
 * Sets room aside for a body before any of it is read, as much as is announced: who announces much and sends little
 * takes from its own company's share.
 */
export function reserveQuota(
  app: FastifyInstance,
  room: MemoryBudget,
  shareOf: (request: FastifyRequest) => Share,
): void {
  app.addHook('preParsing', (request, reply, payload, done) => {
    const bytes = announced(request)
    if (bytes <= smallBytes) return done(null, payload)
    // It would not be told again that they are gone, and the room would be taken for ever.
    if (reply.raw.closed) return done(new HungUp())
    const held = room.hold(shareOf(request))
    try {
      held.grow(bytes)
    } catch (error) {
      // Let go unread: cut off, its sender would never read why.
      payload.resume()
      return done(error as Error)
    }
    reply.raw.once('close', held.letGo)
    done(null, payload)
  })
}

function announced({ raw: { headers }, routeOptions }: FastifyRequest): number {
  const { 'content-length': length, 'transfer-encoding': encoding, 'content-type': type = '' } = headers
  const { streamed, countsItsBody } = routeOptions.config
  if (countsItsBody || (streamed !== undefined && type.startsWith(streamed))) return 0
  const max = routeOptions.bodyLimit ?? megabyte
  // What is longer than it may be is refused before it is read.
  if (length !== undefined) return Number(length) > max ? 0 : Number(length)
  return encoding === undefined ? 0 : max
}
