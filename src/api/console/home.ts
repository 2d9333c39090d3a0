import { Type } from 'typebox'
import type { Visit, WaitingLead } from '../../domain/data/home/queries.ts'
import { type Home, readHome } from '../../domain/data/home/read-home.ts'
import { markRead, readNotifications } from '../../domain/journal/notifications/read-notifications.ts'
import type { Deps } from '../deps.ts'
import type { Routes } from '../http/routes.ts'
import { Fields, optional } from '../http/schema-words.ts'
import { sendJson } from '../http/send-json.ts'
import type { CardResponse, FigureResponse } from './board.ts'
import { contextOf } from './sessions.ts'

export type VisitResponse = Visit
export interface WaitingLeadResponse extends Omit<WaitingLead, 'createdAt'> {
  createdAt: string
  rep: string | null
  /** The dealer whose lead it is; null where it is the installer's. */
  dealer: string | null
}
export interface StuckResponse extends CardResponse {
  stage: string
  daysLate: number
}

export interface HomeResponse extends Omit<Home, 'waiting' | 'stuck'> {
  waiting: { total: FigureResponse; leads: WaitingLeadResponse[] }
  stuck: StuckResponse[]
}

export interface NotificationResponse {
  id: string
  at: string
  text: string
  /** What it is about: a project, else a lead. */
  leadId: string | null
  projectId: string | null
  read: boolean
}

export interface NotificationsResponse {
  unread: number
  notifications: NotificationResponse[]
  next: string | null
}

const NotificationsQuery = Fields({ after: optional(Type.String({ maxLength: 100 })) })
const ReadBody = Fields(
  {
    ids: optional(Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: 100 })),
    all: optional(Type.Literal(true)),
  },
  { minProperties: 1 },
)

export function homeRoutes(app: Routes, deps: Deps): void {
  app.get('/home', async (request, reply) =>
    sendJson(reply, JSON.stringify(await readHome(contextOf(deps, request)))),
  )

  app.get('/notifications', { schema: { querystring: NotificationsQuery } }, async (request, reply) => {
    const binding = ['notifications', request.visitor!.current.memberId]
    const { after } = request.query
    const before = after === undefined ? null : deps.cursors.read(after, binding).at
    const { next, ...page } = await readNotifications(contextOf(deps, request), before)
    const response = { ...page, next: next && deps.cursors.write({ at: next, ordinal: 0 }, binding) }
    return sendJson(reply, JSON.stringify(response))
  })

  app.post('/notifications/read', { schema: { body: ReadBody } }, async (request, reply) => {
    const { ids, all } = request.body
    const unread = await markRead(contextOf(deps, request), all ? 'all' : ids!)
    return sendJson(reply, JSON.stringify({ unread }))
  })
}
