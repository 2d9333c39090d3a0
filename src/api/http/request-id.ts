import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const sane = /^[A-Za-z0-9._:@/+=-]{1,128}$/

/** The caller's own request id where it is sane, else a new one. */
export function requestId(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && sane.test(given) ? given : `req_${randomUUID()}`
}
