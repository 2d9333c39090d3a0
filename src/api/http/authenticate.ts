import type { FastifyReply, FastifyRequest, onRequestHookHandler, preHandlerHookHandler } from 'fastify'
import type { Actor, Context, Interface } from '../../domain/kernel/context.ts'
import { DomainError } from '../../domain/kernel/domain-error.ts'
import type { Agent } from '../../domain/kernel/policy.ts'
import type { KeyOwner } from '../../domain/tenants/keys/queries.ts'
import { currentTime } from '../../platform/clock.ts'
import type { RateLimitState } from '../../platform/rate-limit.ts'
import type { Deps } from '../deps.ts'
import { clientAddress } from './client-address.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
  }
}

/** The key behind a request, and who acts by it. */
export interface Caller {
  keyName: string
  keyPrefix: string
  expiresAt: Date | null
  companyName: string
  companyNumber: number
  timezone: string
  interfaces: Interface[]
  /** Who works by the key, where it was made for an agent. */
  agent: Agent | null
  actor: Actor
}

const bearer = /^Bearer +(\S+) *$/i

/** The key that a request came with, whatever it is worth. */
export function sentKey({ headers }: FastifyRequest): string | undefined {
  return bearer.exec(headers.authorization ?? '')?.[1]
}

/**
 * Admits a company key: 401 where it is not good, then 429 where it has called too often. By callback
 * and not by promise: most calls are admitted without waiting for anything.
 */
export function keyAuthentication(deps: Deps): onRequestHookHandler {
  const { keys, limiter } = deps

  function refuse(header: string | undefined, reply: FastifyReply): DomainError {
    if (limiter) limitHeaders(reply, limiter.limit, limiter.limit, 0)
    reply.header('www-authenticate', 'Bearer')
    return new DomainError('unauthorized', unauthorized(header))
  }

  return (request, reply, done) => {
    const secret = sentKey(request)
    const settle = (owner: KeyOwner | null) => {
      if (!owner) return done(refuse(request.headers.authorization, reply))
      request.caller = callerOf(owner)
      if (!limiter) return done()
      const counted = limiter.take(owner.keyId)
      if (counted instanceof Promise) counted.then((state) => done(overLimit(state, reply)), done)
      else done(overLimit(counted, reply))
    }
    const owner =
      secret === undefined ? null : keys.authenticate(secret, () => clientAddress(request), currentTime())
    if (owner instanceof Promise) owner.then(settle, done)
    else settle(owner)
  }
}

function overLimit(state: RateLimitState, reply: FastifyReply): DomainError | undefined {
  const { allowed, limit, remaining, resetSeconds } = state
  limitHeaders(reply, limit, remaining, resetSeconds)
  if (allowed) return
  reply.header('retry-after', resetSeconds)
  return new DomainError(
    'rate_limited',
    `More than ${limit} calls in a minute from this key. Wait ${resetSeconds} seconds, then retry.`,
  )
}

/** For a call that goes on for long: 401 once the key that it was let in by is no longer good. */
export async function requireGoodKey(
  { keys }: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (await keys.authenticate(sentKey(request)!, () => clientAddress(request), currentTime())) return
  reply.header('www-authenticate', 'Bearer')
  throw new DomainError('unauthorized', unauthorized(request.headers.authorization))
}

function callerOf(owner: KeyOwner): Caller {
  const { agentName, proposes } = owner
  const agent = agentName === null ? null : { name: agentName, proposes }
  return {
    keyName: owner.keyName,
    keyPrefix: owner.prefix,
    expiresAt: owner.expiresAt,
    companyName: owner.companyName,
    companyNumber: owner.companyNumber,
    timezone: owner.timezone,
    interfaces: owner.interfaces,
    agent,
    actor: {
      kind: 'key',
      id: owner.keyId,
      // An agent stands in activity and audit by its own name.
      name: agent ? `${agent.name} (agent)` : owner.keyName,
      installerId: owner.installerId,
      companyId: owner.companyId,
      companyKind: owner.companyKind,
      canWrite: owner.access === 'full',
      agent,
    },
  }
}

function unauthorized(header: string | undefined): string {
  if (header === undefined) return 'Send your company key in the header "Authorization: Bearer psk_…".'
  if (!bearer.test(header)) return 'The Authorization header must have the form "Bearer psk_…".'
  return 'This key is wrong, revoked or expired, or its company is not active. Use an active company key.'
}

function limitHeaders(reply: FastifyReply, limit: number, remaining: number, resetSeconds: number): void {
  reply.header('ratelimit-limit', limit)
  reply.header('ratelimit-remaining', remaining)
  reply.header('ratelimit-reset', resetSeconds)
}

/** Refuses a key that was made for other interfaces. */
export function requireInterface(name: Interface): preHandlerHookHandler {
  return (request, _reply, done) => {
    // What is wrong with the body is told first, by the handler.
    if (request.validationError || request.caller!.interfaces.includes(name)) return done()
    done(
      new DomainError(
        'forbidden',
        'This key was made for another interface. Use a key that may call this one.',
      ),
    )
  }
}

/** What a use case is given for this request. */
export function contextOf(deps: Deps, request: FastifyRequest): Context {
  return {
    db: request.transaction ?? deps.db,
    directories: deps.directories,
    actor: request.caller!.actor,
    now: currentTime(),
  }
}
