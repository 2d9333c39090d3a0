import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type AccountEvent, recordAccount } from '../../domain/audit/record-account.ts'
import { notFound } from '../../domain/domain-error.ts'
import { asksForCodes, deleteSession, deleteSessions, listSessions } from '../../domain/people/queries.ts'
import { type FactorGap, factorGap } from '../../domain/people/second-factor.ts'
import { sendJson } from '../http/send-json.ts'
import type { Parts } from '../parts.ts'
import { requestOrigin } from './auth-trail.ts'

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
  email: string
  /** A code is asked for after the password. */
  asksForCodes: boolean
  sessions: SessionRow[]
  /** What the company lacks of the person before they may go on: a second factor, or its use. */
  factorGap: FactorGap | null
  /** For whom else they work. */
  choices: { memberId: string; companyName: string; current: boolean }[]
}

const sessionIdForm = /^[\w-]{1,64}$/

/** How the person signs in, and where they are signed in. */
export function accountRoutes(app: FastifyInstance, { db }: Parts): void {
  const note = (request: FastifyRequest, event: AccountEvent) =>
    recordAccount(db, new Date(), request.visitor!.memberships, requestOrigin(request), event)

  app.get('/account', { config: { withoutSecondFactor: true } }, async (request, reply) => {
    const { userId, email, sessionId, memberships, current } = request.visitor!
    const sessions = await listSessions(db, userId, sessionId, new Date())
    const account: AccountShown = {
      email,
      asksForCodes: await asksForCodes(db, userId),
      sessions: sessions.map((session) => ({
        ...session,
        createdAt: session.createdAt.toISOString(),
        lastUsedAt: session.lastUsedAt.toISOString(),
      })),
      factorGap: await factorGap(db, request.visitor!, current),
      choices: memberships.map(({ memberId, companyName }) => ({
        memberId,
        companyName,
        current: memberId === current.memberId,
      })),
    }
    return sendJson(reply, JSON.stringify(account))
  })

  app.delete<{ Params: { id: string } }>('/account/sessions/:id', async (request, reply) => {
    const { id } = request.params
    if (!sessionIdForm.test(id) || !(await deleteSession(db, request.visitor!.userId, id)))
      throw notFound('session')
    await note(request, { type: 'security.session_ended' })
    return sendJson(reply, '{}')
  })

  app.delete('/account/sessions', async (request, reply) => {
    const { userId, sessionId } = request.visitor!
    await deleteSessions(db, userId, sessionId)
    await note(request, { type: 'security.sessions_ended' })
    return sendJson(reply, '{}')
  })
}
