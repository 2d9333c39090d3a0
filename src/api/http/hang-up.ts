import type { FastifyReply } from 'fastify'
import { DomainError } from '../../domain/domain-error.ts'

/** Tells long work that nobody waits for its answer any more. */
export function hangUp(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort(new DomainError('unavailable', 'The caller hung up.')))
  return gone.signal
}
