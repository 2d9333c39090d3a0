import type { FastifyReply, FastifyRequest } from 'fastify'
import { originOf } from '../../domain/audit/security-event.ts'
import type { Context } from '../../domain/context.ts'
import { DomainError } from '../../domain/domain-error.ts'
import { listMemberships, type Membership } from '../../domain/people/queries.ts'
import { sharedSecret } from '../../domain/secrets/shared-secret.ts'
import { DatabaseUnavailable } from '../../platform/db.ts'
import type { Parts } from '../parts.ts'
import type { Auth, openAuth } from './auth.ts'
import { headersOf } from './request-headers.ts'

declare module 'fastify' {
  interface FastifyRequest {
    visitor: Visitor | null
  }
}

/** The person behind a request, and the company they work for just now. */
export interface Visitor {
  userId: string
  email: string
  sessionId: string
  memberships: Membership[]
  current: Membership
}

export interface Sessions {
  /** Loaded on first use: whoever only calls the API never pays for it. */
  auth(): Promise<Auth>
  /** Rejects where `work` came to nothing because the database could not be asked. */
  ask<T>(work: (auth: Auth) => Promise<T>, failed: (result: T) => boolean): Promise<T>
  visitorOf(request: FastifyRequest, reply: FastifyReply): Promise<Visitor | null>
  close(): Promise<void>
}

export function createSessions(parts: Parts): Sessions {
  let opened: Promise<ReturnType<typeof openAuth>> | null = null
  const open = () => {
    opened ??= (async () => {
      const { openAuth } = await import('./auth.ts')
      return openAuth(parts, await sharedSecret(parts.db, parts.box, 'console'))
    })()
    opened.catch(() => {
      opened = null
    })
    return opened
  }

  const ask: Sessions['ask'] = async (work, failed) => {
    const { auth, timesLost } = await open()
    const before = timesLost()
    const lost = () => new DatabaseUnavailable('sessions cannot be looked up')
    const result = await work(auth).catch((error) => {
      throw timesLost() === before ? error : lost()
    })
    if (failed(result) && timesLost() !== before) throw lost()
    return result
  }

  return {
    auth: async () => (await open()).auth,
    ask,
    async visitorOf(request, reply) {
      if (!request.headers.cookie?.includes('sunstead.')) return null
      const { headers: answered, response } = await ask(
        (auth) => auth.api.getSession({ headers: headersOf(request), returnHeaders: true }),
        (found) => !found.response,
      )
      for (const cookie of answered?.getSetCookie() ?? []) reply.header('set-cookie', cookie)
      if (!response) return null
      const { user, session } = response
      const memberships = await listMemberships(parts.db, user.email)
      const current = memberships.find((m) => m.memberId === session.memberId) ?? memberships[0]
      if (!current) {
        throw new DomainError(
          'forbidden',
          'You work for no active company here any more: your access was ended, or the company is suspended. Ask its owner.',
        )
      }
      return { userId: user.id, email: user.email, sessionId: session.id, memberships, current }
    },
    close: async () => (await opened?.catch(() => null))?.close(),
  }
}

/** What a use case is given for a person's request. */
export function contextOf(parts: Parts, request: FastifyRequest): Context {
  const { current } = request.visitor!
  return {
    db: parts.db,
    directories: parts.directories,
    now: new Date(),
    actor: {
      kind: 'member',
      id: current.memberId,
      name: current.name,
      role: current.role,
      installerId: current.installerId,
      companyId: current.companyId,
      companyKind: current.companyKind,
      canWrite: true,
      ...originOf(request.ip, request.headers['user-agent']),
    },
  }
}
