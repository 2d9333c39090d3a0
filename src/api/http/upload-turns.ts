import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Actor, shareOf } from '../../domain/kernel/context.ts'
import { DomainError, TryLater } from '../../domain/kernel/domain-error.ts'
import { createFairQueue, type FairQueue, QueueBusy, QueueStopped } from '../../platform/fair-queue.ts'
import type { Deps } from '../deps.ts'
import { hangUp } from './hang-up.ts'

/** What no upload takes longer than at the least pace that is waited for, as far as anybody is told to wait. */
const maxWorkMs = 600_000

/**
 * Uploads take a file on disk and a connection each, for as long as their line is slow: a company fills its own share
 * only. A browser sends six at once at most, so this is a handful of people who each add a folder of photos.
 */
export function createUploadTurns(): FairQueue {
  return createFairQueue({
    atOnce: { all: 256, group: 48, owner: 32 },
    waiting: { all: 400, group: 60, owner: 40 },
    maxWaitMs: 30_000,
    maxWorkMs,
  })
}

/** Takes in what is sent once it is its company's turn; until then nothing of it is read. */
export async function inTurn<T>(
  deps: Deps,
  actor: Actor,
  request: FastifyRequest,
  reply: FastifyReply,
  receive: () => Promise<T>,
): Promise<T> {
  try {
    return await deps.uploads.run(shareOf(actor), receive, hangUp(reply))
  } catch (error) {
    // Let go unread: cut off, its sender would never read why.
    ;(request.body as Readable | undefined)?.resume()
    if (error instanceof QueueBusy) {
      const seconds = error.retryAfterSeconds
      throw new TryLater(
        'unavailable',
        `Your company is sending as many files as it may at once. Nothing was added. Retry in ${seconds} s.`,
        seconds,
      )
    }
    if (error instanceof QueueStopped)
      throw new DomainError('unavailable', 'The server is stopping. Nothing was added. Retry shortly.')
    throw error
  }
}
