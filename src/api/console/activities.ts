import type { FastifyInstance } from 'fastify'
import Type, { type Static } from 'typebox'
import { feedReaderOf } from '../../domain/deals/activities/activity.ts'
import { listThreads, type Reply, type Thread } from '../../domain/deals/activities/queries.ts'
import { writeNote } from '../../domain/deals/activities/write-note.ts'
import { findLeadDeal } from '../../domain/deals/changes/deal.ts'
import { reachOf } from '../../domain/kernel/context.ts'
import { notFound } from '../../domain/kernel/domain-error.ts'
import { sendJson } from '../http/send-json.ts'
import type { Parts } from '../parts.ts'
import { LeadParams } from './lead-requests.ts'
import { contextOf } from './sessions.ts'

export type ReplyShown = Omit<Reply, 'createdAt'> & { createdAt: string }
export type ActivityShown = Omit<Thread, 'createdAt' | 'replies'> & {
  createdAt: string
  replies: ReplyShown[]
}

export interface ActivityList {
  activities: ActivityShown[]
  /** For `after`; null at the end. */
  next: string | null
}

const defaultLimit = 30

const FeedQuery = Type.Object(
  {
    after: Type.Optional(
      Type.String({
        pattern: '^\\d{1,13}-\\d{1,5}$',
        'x-message': 'must be the "next" of the page before, as it is',
      }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  },
  { additionalProperties: false },
)

const NoteBody = Type.Object(
  {
    body: Type.String({ minLength: 1, maxLength: 20_000 }),
    replyTo: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    internal: Type.Optional(Type.Boolean()),
    customerFacing: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)

export function activityRoutes(app: FastifyInstance, parts: Parts): void {
  app.get<{ Params: { id: string }; Querystring: Static<typeof FeedQuery> }>(
    '/leads/:id/activities',
    { schema: { params: LeadParams, querystring: FeedQuery } },
    async (request, reply) => {
      const ctx = contextOf(parts, request)
      const deal = await findLeadDeal(parts.db, reachOf(ctx), request.params.id)
      if (!deal) throw notFound('lead')
      const { after, limit = defaultLimit } = request.query
      const { threads, next } = await listThreads(
        parts.db,
        ctx.actor.installerId,
        deal.lead.id,
        feedReaderOf(ctx.actor),
        after ? positionOf(after) : null,
        limit,
      )
      const list = { activities: threads, next: next && `${next.at.getTime()}-${next.ordinal}` }
      return sendJson(reply, JSON.stringify(list))
    },
  )

  app.post<{ Params: { id: string }; Body: Static<typeof NoteBody> }>(
    '/leads/:id/notes',
    { schema: { params: LeadParams, body: NoteBody } },
    async (request, reply) => {
      await writeNote(contextOf(parts, request), { lead: request.params.id }, request.body)
      return sendJson(reply.code(201), '{}')
    },
  )
}

const mostOrdinal = 32_767

function positionOf(after: string) {
  const [ms = '', ordinal = ''] = after.split('-')
  return { at: new Date(Number(ms)), ordinal: Math.min(Number(ordinal), mostOrdinal) }
}
