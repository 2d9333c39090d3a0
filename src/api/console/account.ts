import type { FastifyInstance } from 'fastify'
import { notFound } from '../../domain/domain-error.ts'
import { asksForCodes, deleteSession, deleteSessions, listSessions } from '../../domain/people/queries.ts'
import { sendJson } from '../http/send-json.ts'
import type { Parts } from '../parts.ts'

/** One browser in which the person is signed in. */
export interface SessionRow {
  id: string
  userAgent: string | null
  ipAddress: string | null
  createdAt: string
  lastUsedAt: string
  /** The one that asks. */
  current: boolean
}

export interface AccountShown {
  /** A code is asked for after the password. */
  asksForCodes: boolean
  sessions: SessionRow[]
}

const sessionIdForm = /^[\w-]{1,64}$/

/** How the person signs in, and where they are signed in. */
export function accountRoutes(app: FastifyInstance, { db }: Parts): void {
  app.get('/account', async (request, reply) => {
    const { userId, sessionId } = request.visitor!
    const sessions = await listSessions(db, userId, sessionId, new Date())
    const account: AccountShown = {
      asksForCodes: await asksForCodes(db, userId),
      sessions: sessions.map((session) => ({
        ...session,
        createdAt: session.createdAt.toISOString(),
        lastUsedAt: session.lastUsedAt.toISOString(),
      })),
    }
    return sendJson(reply, JSON.stringify(account))
  })

  app.delete<{ Params: { id: string } }>('/account/sessions/:id', async (request, reply) => {
    const { id } = request.params
    if (!sessionIdForm.test(id) || !(await deleteSession(db, request.visitor!.userId, id)))
      throw notFound('session')
    return sendJson(reply, '{}')
  })

  app.delete('/account/sessions', async (request, reply) => {
    const { userId, sessionId } = request.visitor!
    await deleteSessions(db, userId, sessionId)
    return sendJson(reply, '{}')
  })
}
