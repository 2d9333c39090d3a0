import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { SubmissionKey } from '../../domain/journal/submissions/queries.ts'
import { giveUp, keepAnswer, startSubmission } from '../../domain/journal/submissions/submission.ts'
import { DomainError } from '../../domain/kernel/domain-error.ts'
import type { Deps } from '../deps.ts'
import { sendJson } from '../http/send-json.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What was begun by this request and is to be ended by its answer. */
    submission: SubmissionKey | null
  }
}

const keyForm = /^[\x21-\x7e]{1,255}$/

/**
 * What names an `Idempotency-Key` is done once, whatever it is: whoever sends it again is answered the same. Taken from
 * all that changes something, so that no form is forgotten.
 */
export function deduplicateSubmissions(app: FastifyInstance, { db, box }: Deps): void {
  app.decorateRequest('submission', null)

  // After the body was found valid: what cannot be done leaves no trace.
  app.addHook('preHandler', async (request, reply) => {
    const key = request.headers['idempotency-key']
    // What needs no company is about the person's own session, and the same however often it is asked for.
    if (key === undefined || request.method === 'GET' || request.method === 'HEAD' || !request.visitor) return
    if (typeof key !== 'string' || !keyForm.test(key))
      throw new DomainError('invalid', 'Idempotency-Key must have 1 to 255 visible ASCII characters.')
    const { installerId, memberId } = request.visitor.current
    const submission = { installerId, memberId, key }
    const before = await startSubmission(db, box, submission, hashOf(request))
    if (!before) {
      request.submission = submission
      return
    }
    reply.code(before.status).header('idempotency-replayed', 'true')
    return sendJson(reply, before.answer)
  })

  app.addHook('onSend', async (request, reply, payload) => {
    const { submission } = request
    if (!submission) return payload
    request.submission = null
    const status = reply.statusCode
    const done = status >= 200 && status < 300 && (typeof payload === 'string' || Buffer.isBuffer(payload))
    await (done
      ? keepAnswer(db, box, submission, { status, answer: payload.toString() })
      : giveUp(db, submission)
    ).catch((error: Error) => {
      // What was done is done: it is answered, and only whoever sends it again will not know.
      request.log.warn({ error: error.message }, 'an answer could not be kept for a repeat')
    })
    return payload
  })
}

/** Files are told apart by how long they are: they are not read before they are taken. */
function hashOf({ method, url, headers, body }: FastifyRequest): string {
  const plain = body === undefined || body === null || Object.getPrototypeOf(body) === Object.prototype
  const what = plain || Array.isArray(body) ? JSON.stringify(body ?? null) : (headers['content-length'] ?? '')
  return createHash('sha256').update(`${method} ${url}\n${what}`).digest('hex')
}
