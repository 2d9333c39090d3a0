import Type from 'typebox'
import type { LoggedEvent } from '../../domain/data/audit-log/queries.ts'
import { readLog } from '../../domain/data/audit-log/read-log.ts'
import type { Deps } from '../deps.ts'
import { instant } from '../http/instant.ts'
import type { Routes } from '../http/routes.ts'
import { Fields, limitTo, nextPage, optional } from '../http/schema-words.ts'
import { sendJson } from '../http/send-json.ts'
import { contextOf } from './sessions.ts'

/** One thing that happened. */
export interface EntryResponse {
  id: string
  at: string
  type: string
  actor: { kind: LoggedEvent['actorKind']; id: string | null; name: string | null }
  companyId: string
  subjectId: string
  leadId: string | null
  projectId: string | null
  /** What the thing is called, where it is not a lead or a project. */
  name: string | null
  customer: string | null
  /** Where it was asked for from, and with what, where that is known. */
  address: string | null
  device: string | null
  /** How often it happened until then, where it is noted once in ten minutes. */
  times: number
  lastAt: string
  /** Ids of people, stages and companies are their names here. */
  changes: { field: string; from: unknown; to: unknown }[]
}

export interface AuditResponse {
  entries: EntryResponse[]
  next: string | null
}

const Moment = Type.String({
  format: 'date-time',
  pattern: '^[^,]{1,30}Z$',
  'x-message': 'must be a timestamp in UTC, such as 2027-01-31T00:00:00Z',
})

const AuditQuery = Fields({
  record: optional(
    Type.String({
      pattern: '^[\\w-]{1,64}$',
      'x-message': 'must be the id or the reference of a record',
    }),
  ),
  actor: optional(Type.String({ pattern: '^(memb|key)_[0-9a-z]{1,40}$' })),
  kind: optional(Type.String({ pattern: '^[a-z_]{1,30}$' })),
  from: optional(Moment),
  to: optional(Moment),
  after: nextPage('^\\d{1,13}-\\d{1,9}$'),
  limit: limitTo(200),
})

const pageSize = 50

/** What was changed, by whom: for owners and admins. */
export function auditRoutes(app: Routes, deps: Deps): void {
  app.get('/audit', { schema: { querystring: AuditQuery } }, async (request, reply) => {
    const { record, actor: actorId, kind, from, to, after, limit = pageSize } = request.query
    const { entries, next } = await readLog(
      contextOf(deps, request),
      { record, actorId, kind, from: dateOf(from), to: dateOf(to) },
      after ? positionOf(after) : null,
      limit,
    )
    const response: AuditResponse = {
      entries: entries.map(entryResponse),
      next: next && `${next.at.getTime()}-${next.ordinal}`,
    }
    return sendJson(reply, JSON.stringify(response))
  })
}

const dateOf = (text: string | undefined) => (text === undefined ? undefined : instant(text))

function positionOf(after: string) {
  const [ms, ordinal] = after.split('-').map(Number) as [number, number]
  return { at: new Date(ms), ordinal }
}

/** Notes may be as long as a book. */
const longest = 2_000

function entryResponse(event: LoggedEvent): EntryResponse {
  const { at, ordinal, type, companyId, subjectId, leadId, projectId, name, customer } = event
  const { address, device, times, lastAt } = event
  return {
    id: `${at.getTime()}-${ordinal}`,
    at: at.toISOString(),
    type,
    actor: { kind: event.actorKind, id: event.actorId, name: event.actorName },
    ...{ companyId, subjectId, leadId, projectId, name, customer, address, device, times },
    lastAt: lastAt.toISOString(),
    changes: Object.entries(event.changes).map(([field, [from, to]]) => ({
      field,
      from: shortened(from),
      to: shortened(to),
    })),
  }
}

function shortened(value: unknown): unknown {
  return typeof value === 'string' && value.length > longest ? `${value.slice(0, longest)}…` : value
}
