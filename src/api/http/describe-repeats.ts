import type { FastifySchema } from 'fastify'
import { IdempotencyHeaders, isKept, replayedHeader } from './idempotency.ts'

/** Adds to a POST's description how it is sent again. */
export function describeRepeats(schema: FastifySchema = {}): FastifySchema {
  const response = Object.entries((schema.response ?? {}) as Record<string, { headers?: object }>).map(
    ([status, answer]) =>
      isKept(Number(status))
        ? [status, { ...answer, headers: { ...answer.headers, ...replayedHeader } }]
        : [status, answer],
  )
  const { properties } = (schema.headers ?? {}) as { properties?: object }
  const headers = { ...IdempotencyHeaders, properties: { ...IdempotencyHeaders.properties, ...properties } }
  return { ...schema, headers, response: Object.fromEntries(response) }
}
