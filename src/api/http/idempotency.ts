import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import type { Answered, IdempotencyKey } from '../../domain/deals/changes/idempotency.ts'
import { sendJson } from './send-json.ts'

/** The header by which a call may be sent again. */
export const IdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      pattern: '^[\\x21-\\x7e]{1,255}$',
      'x-message': 'must have 1 to 255 visible ASCII characters',
      description:
        'Makes the call repeatable: sent again with the same key and body, it is done once and answered the same, with `Idempotency-Replayed: true`. With another body it is 400',
    }),
  ),
})
export type IdempotencyHeaders = Static<typeof IdempotencyHeaders>

/** What a call asks for, by which a repeat of it is known; null where it names no key. */
export function idempotencyKeyOf({ method, url, headers, body }: FastifyRequest): IdempotencyKey | null {
  const key = headers['idempotency-key']
  if (typeof key !== 'string') return null
  const asked = JSON.stringify([method, url.split('?')[0], sorted(body ?? null)])
  return { key, requestHash: createHash('sha256').update(asked).digest('hex') }
}

/** The same fields are the same call, in whatever order they come. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return entries.map(([name, one]) => [name, sorted(one)])
}

export function sendAnswered(reply: FastifyReply, { body, replayed }: Answered): FastifyReply {
  if (replayed) reply.header('idempotency-replayed', 'true')
  return sendJson(reply, body)
}
