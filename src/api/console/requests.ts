import Type from 'typebox'
import type { Call } from '../../domain/operations/requests/request.ts'
import {
  type Found,
  type Position,
  searchRequests,
} from '../../domain/operations/requests/search-requests.ts'
import type { Deps } from '../deps.ts'
import { instant } from '../http/instant.ts'
import type { Routes } from '../http/routes.ts'
import { Fields, limitTo, nextPage, optional } from '../http/schema-words.ts'
import { sendJson } from '../http/send-json.ts'
import { contextOf } from './sessions.ts'

export interface RequestResponse extends Omit<Call, 'at'> {
  /** Its place in the list, which is no other's. */
  place: string
  at: string
  keyId: string
  keyName: string
  keyPrefix: string
  companyId: string
}

export interface RequestsResponse {
  requests: RequestResponse[]
  next: string | null
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const timestamp = Type.String({
  format: 'date-time',
  pattern: '^[^,]{1,30}Z$',
  'x-message': 'must be a timestamp in UTC, such as 2027-01-31T00:00:00Z',
})

const RequestsQuery = Fields({
  id: optional(Type.String({ maxLength: 128 })),
  key: optional(Type.String({ maxLength: 64 })),
  status: optional(
    Type.String({
      pattern: '^([1-5]\\d\\d|[245]xx)$',
      'x-message': 'must be a status such as 404, or 4xx',
    }),
  ),
  method: optional(Type.Unsafe<string>({ type: 'string', enum: methods })),
  route: optional(Type.String({ maxLength: 256 })),
  from: optional(timestamp),
  to: optional(timestamp),
  after: nextPage('^\\d{1,13}-\\d{1,10}-\\d{1,10}$'),
  limit: limitTo(200),
})

const pageSize = 50

/** The calls of the interfaces for programs, for owners and admins. */
export function requestRoutes(app: Routes, deps: Deps): void {
  app.get('/requests', { schema: { querystring: RequestsQuery } }, async (request, reply) => {
    const { id, key, status, method, route, from, to, after, limit = pageSize } = request.query
    const { requests, next } = await searchRequests(contextOf(deps, request), {
      requestId: id || undefined,
      keyId: key || undefined,
      method,
      address: route || undefined,
      from: from ? instant(from) : undefined,
      to: to ? instant(to) : undefined,
      statuses: status === undefined ? undefined : statusesOf(status),
      before: after ? positionOf(after) : null,
      limit,
    })
    const response: RequestsResponse = {
      requests: requests.map(requestResponse),
      next: next && placeOf(next),
    }
    return sendJson(reply, JSON.stringify(response))
  })
}

function statusesOf(status: string): [number, number] {
  const first = Number(status.replace('xx', '00'))
  return [first, status.endsWith('xx') ? first + 100 : first + 1]
}

const placeOf = ({ at, ordinal, line }: Position) => `${at}-${ordinal}-${line}`

function positionOf(after: string): Position {
  const [at, ordinal, line] = after.split('-').map(Number)
  return { at: at!, ordinal: ordinal!, line: line! }
}

function requestResponse(found: Found): RequestResponse {
  const { at, ordinal, line, key, ...call } = found
  return {
    ...call,
    place: placeOf(found),
    at: new Date(at).toISOString(),
    keyId: key.id,
    keyName: key.name,
    keyPrefix: key.prefix,
  }
}
