import type { FastifyReply, FastifyRequest } from 'fastify'
import { hashOf, isSecret } from '../../domain/keys/key.ts'
import type { Call } from '../../domain/requests/request.ts'
import type { RequestLog } from '../../domain/requests/request-log.ts'
import { sentKey } from './authenticate.ts'

/** Notes an answered call of an interface that takes keys, for whose key it was made with. */
export function noteRequest(
  requests: RequestLog,
  request: FastifyRequest,
  reply: FastifyReply,
  route: string,
  ms: number,
): void {
  const { caller } = request
  if (caller) {
    const { installerId, companyId, id } = caller.actor
    requests.note({ installerId, companyId, keyId: id! }, callOf(request, reply, route, ms))
  } else if (caller === null && reply.statusCode === 401) {
    const secret = sentKey(request)
    if (secret !== undefined && isSecret(secret))
      requests.noteRefused(hashOf(secret), callOf(request, reply, route, ms))
  }
}

function callOf(request: FastifyRequest, reply: FastifyReply, route: string, ms: number): Call {
  const bytes = reply.getHeader('content-length')
  return {
    at: Date.now(),
    method: request.method,
    route,
    path: pathOf(request.url),
    status: reply.statusCode,
    durationMs: ms,
    bytes: bytes === undefined ? null : Number(bytes),
    requestId: request.id,
  }
}

const longestPath = 256

/** Without the query, which may hold what is nobody's business. */
function pathOf(url: string): string {
  const end = url.indexOf('?')
  if (end === -1 && url.length <= longestPath) return url
  return url.slice(0, end === -1 ? longestPath : Math.min(end, longestPath))
}
