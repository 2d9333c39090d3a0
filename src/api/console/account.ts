import type { FastifyRequest } from 'fastify'
import { type AccountEvent, recordAccount } from '../../domain/journal/audit/record-account.ts'
import { notFound } from '../../domain/kernel/domain-error.ts'
import { leaveCompany } from '../../domain/tenants/people/leave-company.ts'
import {
  asksForCodes,
  deleteSession,
  deleteSessions,
  listSessions,
} from '../../domain/tenants/people/queries.ts'
import { type FactorGap, factorGap, requireFactorUsed } from '../../domain/tenants/people/second-factor.ts'
import { currentTime } from '../../platform/clock.ts'
import type { Deps } from '../deps.ts'
import type { Routes } from '../http/routes.ts'
import { byId } from '../http/routes.ts'
import { sendJson } from '../http/send-json.ts'
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

export interface AccountResponse {
  email: string
  /** A code is asked for after the password. */
  asksForCodes: boolean
  sessions: SessionRow[]
  /** What the company lacks of the person before they may go on: a second factor, or its use. */
  factorGap: FactorGap | null
  /** For whom else they work. */
  choices: { memberId: string; companyName: string; current: boolean }[]
}

/** For whom a person who has left a company goes on working. Where it is nobody, they are signed out. */
export interface LeaveResponse {
  choices: { memberId: string; companyName: string }[]
}

const sessionIdForm = /^[\w-]{1,64}$/

/** How the person signs in, and where they are signed in. */
export function accountRoutes(app: Routes, { db, addresses }: Deps): void {
  const note = (request: FastifyRequest, event: AccountEvent) =>
    recordAccount(db, currentTime(), request.visitor!.memberships, requestOrigin(request), event)

  app.get('/account', { config: { withoutCompany: true } }, async (request, reply) => {
    const { userId, email, sessionId, memberships, current } = request.person!
    const sessions = await listSessions(db, { userId, currentId: sessionId, now: currentTime() })
    const account: AccountResponse = {
      email,
      asksForCodes: await asksForCodes(db, userId),
      sessions: sessions.map((session) => ({
        ...session,
        createdAt: session.createdAt.toISOString(),
        lastUsedAt: session.lastUsedAt.toISOString(),
      })),
      factorGap: current && (await factorGap(db, request.person!, current)),
      choices: memberships.map(({ memberId, companyName }) => ({
        memberId,
        companyName,
        current: memberId === current?.memberId,
      })),
    }
    return sendJson(reply, JSON.stringify(account))
  })

  app.delete('/account/sessions/:id', byId, async (request, reply) => {
    const { id } = request.params
    if (!sessionIdForm.test(id) || !(await deleteSession(db, { userId: request.visitor!.userId, id })))
      throw notFound('session')
    await note(request, { type: 'security.session_ended' })
    return sendJson(reply, '{}')
  })

  app.delete('/account/sessions', async (request, reply) => {
    const { userId, sessionId } = request.visitor!
    await deleteSessions(db, { userId, keptId: sessionId })
    await note(request, { type: 'security.sessions_ended' })
    return sendJson(reply, '{}')
  })

  // Also where the company requires what its person does not have: nobody is held by it.
  app.post(
    '/account/memberships/:id/leave',
    { config: { withoutCompany: true }, ...byId },
    async (request, reply) => {
      const person = request.person!
      const leaving = person.memberships.find(({ memberId }) => memberId === request.params.id)
      if (!leaving) throw notFound('membership')
      await requireFactorUsed(db, person, person.memberships)
      const from = { db, now: currentTime(), origin: requestOrigin(request), baseUrl: addresses.baseUrl }
      const left = await leaveCompany(from, person, leaving)
      const response: LeaveResponse = {
        choices: left.map(({ memberId, companyName }) => ({ memberId, companyName })),
      }
      return sendJson(reply, JSON.stringify(response))
    },
  )
}
