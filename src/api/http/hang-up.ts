import type { FastifyReply } from 'fastify'
import { DomainError } from '../../domain/kernel/domain-error.ts'

/** Nobody waits for the answer any more. It is no error: nobody is told, and nothing failed. */
export class HungUp extends DomainError {
  constructor() {
    super('unavailable', 'The caller hung up.')
  }
}

/** How it is written down. */
export const hungUpStatus = 499

/** Tells long work that nobody waits for its answer any more. */
export function hangUp(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  if (reply.raw.closed && !reply.raw.writableFinished) gone.abort(new HungUp())
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort(new HungUp())
  })
  return gone.signal
}

/** What reading and writing throw when a connection ends in the middle. */
const endings = new Set(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED'])

/** Whether it failed because the caller went away. */
export function isHangUp(error: unknown, reply: FastifyReply): boolean {
  if (error instanceof HungUp) return true
  return reply.raw.destroyed && endings.has((error as { code?: string }).code ?? '')
}
