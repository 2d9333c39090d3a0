import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { Answered } from '../../domain/billing/payments/payment.ts'
import { sendJson } from './send-json.ts'

export const headerName = 'idempotency-key'
const keyForm = /^[\x21-\x7e]{1,255}$/

/** The header by which a call may be sent again. */
export const IdempotencyHeaders = Type.Object({
  [headerName]: Type.Optional(
    Type.String({
      pattern: keyForm.source,
      'x-message': 'must have 1 to 255 visible ASCII characters',
      description:
        'Makes the call repeatable: sent again within 24 hours with the same key and body it is done once and answered the same, with `Idempotency-Replayed: true`. With another body, or to another address, it is 400. A key belongs to the company; answers of 401, 429 and 5xx are not kept.',
      examples: ['8e03978e-40d5-43dd-bc93-6894a57f9324'],
    }),
  ),
})

export const replayedHeader = {
  'Idempotency-Replayed': {
    type: 'string',
    enum: ['true'],
    description: 'Where the call was made before with the same `Idempotency-Key`: nothing was done now',
  },
}

/** Whether an answer of this status is kept for repeats. After 412 the same call may come again, with the record's new tag. */
export const isKept = (status: number): boolean => status < 500 && ![401, 412, 429].includes(status)

/** The key that a call names; null where it names none, or none that could be one. */
export function keyOf({ headers }: FastifyRequest): string | null {
  const key = headers[headerName]
  return typeof key === 'string' && keyForm.test(key) ? key : null
}

/** A body that is not read into values knows its bytes. */
interface Digested {
  digest(): string
}

/** What a call asks for, by which a repeat of it is known: `digest` of a body that is read by its handler. */
export function requestHashOf({ method, url, query, body }: FastifyRequest, digest?: string): string {
  const asked: unknown[] = [method, url.split('?', 1)[0], digest ?? contentsOf(body)]
  if (Object.keys(query as object).length > 0) asked.push(sorted(query))
  return createHash('sha256').update(JSON.stringify(asked)).digest('hex')
}

function contentsOf(body: unknown): unknown {
  const isDigested =
    typeof body === 'object' && body !== null && typeof (body as Digested).digest === 'function'
  return isDigested ? (body as Digested).digest() : sorted(body ?? null)
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
