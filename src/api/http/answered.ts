import type { FastifyReply, FastifyRequest } from 'fastify'
import { hashOf, isSecret } from '../../domain/keys/key.ts'
import type { Call } from '../../domain/requests/request.ts'
import type { RequestLog } from '../../domain/requests/request-log.ts'
import type { Parts } from '../parts.ts'
import { type Caller, sentKey } from './authenticate.ts'

interface Answered extends Call {
  /** Null where no good key was sent, undefined outside the interfaces that take keys. */
  caller: Caller | null | undefined
  /** Of a key that was refused. */
  keyHash: Buffer | null
  turnedAway: boolean
}

/**
 * What is done about calls once they are answered: they are counted, told on standard output, and noted for the company
 * whose key it was. All that were answered in a turn of the event loop go through each step together, which is quicker
 * than one by one amid the work of answering.
 */
export function createAnswered({
  metrics,
  log,
  requests,
}: Pick<Parts, 'metrics' | 'log' | 'requests'>): (request: FastifyRequest, reply: FastifyReply) => void {
  let answered: Answered[] = []

  function settle(): void {
    const calls = answered
    answered = []
    for (const { route, method, status, durationMs } of calls)
      metrics.requestDone(route, method, status, durationMs / 1000)
    for (const { requestId, method, route, status, durationMs, caller, turnedAway } of calls) {
      if (turnedAway) continue
      const ms = Math.round(durationMs * 10) / 10
      log.info({ requestId, method, route, status, ms, key: caller?.keyPrefix })
    }
    if (requests) for (const call of calls) note(requests, call)
  }

  return (request, reply) => {
    if (answered.push(answeredCall(request, reply)) === 1) setImmediate(settle)
  }
}

function note(requests: RequestLog, call: Answered): void {
  if (call.caller) {
    const { installerId, companyId, id } = call.caller.actor
    requests.note({ installerId, companyId, keyId: id! }, call)
  } else if (call.keyHash) {
    requests.noteRefused(call.keyHash, call)
  }
}

function answeredCall(request: FastifyRequest, reply: FastifyReply): Answered {
  const { caller } = request
  const bytes = reply.getHeader('content-length')
  return {
    at: Date.now(),
    method: request.method,
    route: request.routeOptions.url ?? 'none',
    path: pathOf(request.url),
    status: reply.statusCode,
    durationMs: reply.elapsedTime,
    bytes: bytes === undefined ? null : Number(bytes),
    requestId: request.id,
    turnedAway: request.turnedAway,
    caller,
    keyHash: caller === null && reply.statusCode === 401 ? refusedHash(request) : null,
  }
}

function refusedHash(request: FastifyRequest): Buffer | null {
  const secret = sentKey(request)
  return secret !== undefined && isSecret(secret) ? hashOf(secret) : null
}

const longestPath = 256

/** Without the query, which may hold what is nobody's business. */
function pathOf(url: string): string {
  const end = url.indexOf('?')
  if (end === -1 && url.length <= longestPath) return url
  return url.slice(0, end === -1 ? longestPath : Math.min(end, longestPath))
}
