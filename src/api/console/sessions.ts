import type { FastifyReply, FastifyRequest } from 'fastify'
import { originOf } from '../../domain/journal/audit/security-event.ts'
import type { Context } from '../../domain/kernel/context.ts'
import { DomainError } from '../../domain/kernel/domain-error.ts'
import { sharedSecret } from '../../domain/kernel/shared-secret.ts'
import type { Membership } from '../../domain/kernel/tenant/member.ts'
import { listMemberships, pinSession } from '../../domain/tenants/people/queries.ts'
import { keepSession } from '../../domain/tenants/people/sign-in-times.ts'
import { currentTime } from '../../platform/clock.ts'
import { DatabaseUnavailable } from '../../platform/database-errors.ts'
import type { Deps } from '../deps.ts'
import { clientAddress } from '../http/client-address.ts'
import type { Auth, openAuth } from './auth.ts'
import { headersOf } from './request-headers.ts'

declare module 'fastify' {
  interface FastifyRequest {
    visitor: Visitor | null
    /** Who is signed in and works for somebody, perhaps not for the company that the session was in. */
    person: Person | null
    /** Who is signed in, whomever they work for: for what needs no company. */
    signedIn: SignedIn | null
  }
}

/** Somebody who is signed in, and the companies that they work for. */
export interface Person {
  userId: string
  email: string
  sessionId: string
  /** Whether the session was begun with more than a password. */
  secondFactor: boolean
  /** Whether a code is asked for after the password. */
  asksForCodes: boolean
  memberships: Membership[]
  /** Where they are just now; null where that has ended, until they choose another one. */
  current: Membership | null
}

/** The person behind a request, and the company they work for just now. */
export interface Visitor extends Person {
  current: Membership
}

/** Somebody who is signed in, whomever they work for. */
export interface SignedIn {
  userId: string
  email: string
  /** Whoever chose the password had read the mail to this address. */
  proven: boolean
  name: string
  asksForCodes: boolean
  sessionId: string
  /** As which member they act just now. */
  memberId: string | null
  secondFactor: boolean
}

export interface Sessions {
  /** Loaded on first use: whoever only calls the API never pays for it. */
  auth(): Promise<Auth>
  /** Rejects where `work` came to nothing because the database could not be asked. */
  ask<T>(work: (auth: Auth) => Promise<T>, failed: (result: T) => boolean): Promise<T>
  signedIn(request: FastifyRequest, reply: FastifyReply): Promise<SignedIn | null>
  personOf(request: FastifyRequest, reply: FastifyReply): Promise<Person | null>
  close(): Promise<void>
}

export function createSessions(deps: Deps): Sessions {
  let opened: Promise<ReturnType<typeof openAuth>> | null = null
  const open = () => {
    opened ??= (async () => {
      const { openAuth } = await import('./auth.ts')
      return openAuth(deps, await sharedSecret(deps.db, deps.box, 'console'))
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

  async function signedIn(request: FastifyRequest, reply: FastifyReply): Promise<SignedIn | null> {
    if (!request.headers.cookie?.includes('sunstead.session_token')) return null
    const { headers: answered, response } = await ask(
      (auth) => auth.api.getSession({ headers: headersOf(request), returnHeaders: true }),
      (found) => !found.response,
    )
    for (const cookie of answered?.getSetCookie() ?? []) reply.header('set-cookie', cookie)
    if (!response) return null
    const { user, session } = response
    if (!(await keepSession(deps.db, currentTime(), session))) return null
    return {
      userId: user.id,
      email: user.email,
      proven: user.emailVerified,
      name: user.name,
      asksForCodes: user.twoFactorEnabled === true,
      sessionId: session.id,
      memberId: session.memberId ?? null,
      secondFactor: session.secondFactor === true,
    }
  }

  return {
    auth: async () => (await open()).auth,
    ask,
    signedIn,
    async personOf(request, reply) {
      const here = await signedIn(request, reply)
      if (!here) return null
      const { memberId, name: _, proven: __, ...person } = here
      const memberships = await listMemberships(deps.db, { userId: person.userId })
      const [first] = memberships
      if (!first) {
        throw new DomainError(
          'forbidden',
          'You work for no active company here any more: your access was ended, or the company is suspended. Ask its owner.',
        )
      }
      // A session stays with its company, whatever the person chooses in another, and is moved by nobody else.
      if (memberId !== null)
        return { ...person, memberships, current: memberships.find((m) => m.memberId === memberId) ?? null }
      await pinSession(deps.db, { id: person.sessionId, memberId: first.memberId })
      return { ...person, memberships, current: first }
    },
    close: async () => (await opened?.catch(() => null))?.close(),
  }
}

/** What a use case is given for a person's request. */
export function contextOf(deps: Deps, request: FastifyRequest): Context {
  const { current } = request.visitor!
  return {
    db: deps.db,
    directories: deps.directories,
    now: currentTime(),
    actor: {
      kind: 'member',
      id: current.memberId,
      name: current.name,
      role: current.role,
      installerId: current.installerId,
      companyId: current.companyId,
      companyKind: current.companyKind,
      canWrite: true,
      ...originOf(clientAddress(request), request.headers['user-agent']),
    },
  }
}
