import Type from 'typebox'
import { feedReaderOf } from '../../domain/deals/activities/activity.ts'
import { listThreads, type Reply, type Thread } from '../../domain/deals/activities/queries.ts'
import { writeNote } from '../../domain/deals/activities/write-note.ts'
import { findLeadDeal } from '../../domain/deals/changes/deal.ts'
import { scopeOf } from '../../domain/kernel/context.ts'
import { notFound } from '../../domain/kernel/domain-error.ts'
import type { Deps } from '../deps.ts'
import type { Routes } from '../http/routes.ts'
import { Fields, IdParams, limitTo, nextPage, optional } from '../http/schema-words.ts'
import { sendJson } from '../http/send-json.ts'
import { contextOf } from './sessions.ts'

export type ReplyResponse = Omit<Reply, 'createdAt'> & { createdAt: string }
export type ActivityResponse = Omit<Thread, 'createdAt' | 'replies'> & {
  createdAt: string
  replies: ReplyResponse[]
}

export interface ActivityList {
  activities: ActivityResponse[]
  /** For `after`; null at the end. */
  next: string | null
}

const defaultLimit = 30

const FeedQuery = Fields({
  after: nextPage('^\\d{1,13}-\\d{1,5}$'),
  limit: limitTo(100),
})

const NoteBody = Fields({
  body: Type.String({ minLength: 1, maxLength: 20_000 }),
  replyTo: optional(Type.String({ minLength: 1, maxLength: 64 })),
  internal: optional(Type.Boolean()),
  customerFacing: optional(Type.Boolean()),
})

export function activityRoutes(app: Routes, deps: Deps): void {
  app.get(
    '/leads/:id/activities',
    { schema: { params: IdParams, querystring: FeedQuery } },
    async (request, reply) => {
      const ctx = contextOf(deps, request)
      const deal = await findLeadDeal(deps.db, scopeOf(ctx), request.params.id)
      if (!deal) throw notFound('lead')
      const { after, limit = defaultLimit } = request.query
      const { threads, next } = await listThreads(
        deps.db,
        { installerId: ctx.actor.installerId, leadId: deal.lead.id },
        feedReaderOf(ctx.actor),
        after ? positionOf(after) : null,
        limit,
      )
      const list = { activities: threads, next: next && `${next.at.getTime()}-${next.ordinal}` }
      return sendJson(reply, JSON.stringify(list))
    },
  )

  app.post('/leads/:id/notes', { schema: { params: IdParams, body: NoteBody } }, async (request, reply) => {
    await writeNote(contextOf(deps, request), { lead: request.params.id }, request.body)
    return sendJson(reply.code(201), '{}')
  })
}

const maxOrdinal = 32_767

function positionOf(after: string) {
  const [ms = '', ordinal = ''] = after.split('-')
  return { at: new Date(Number(ms)), ordinal: Math.min(Number(ordinal), maxOrdinal) }
}
