import type { FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '../../domain/kernel/domain-error.ts'
import type { Membership } from '../../domain/kernel/tenant/member.ts'
import { knowsDevice } from '../../domain/tenants/people/devices.ts'
import { listMemberships } from '../../domain/tenants/people/queries.ts'
import { requireFactorUsed } from '../../domain/tenants/people/second-factor.ts'
import type { Guess, Try } from '../../domain/tenants/people/sign-in-limits.ts'
import type { Deps } from '../deps.ts'
import { clientAddress } from '../http/client-address.ts'
import type { AuthPath } from './auth-paths.ts'
import { cookieOf, deviceOf } from './device-cookie.ts'
import type { Sessions, SignedIn } from './sessions.ts'

export interface Asked {
  request: FastifyRequest
  reply: FastifyReply
  body: Record<string, unknown>
}

/** Whom a call about signing in is about, as far as it is known. */
export interface Who {
  /** Who is signed in, where the path asks for it. */
  here: SignedIn | null
  memberships: Membership[]
  /** Whose password was right, so that a code is asked for. */
  challenged: { userId: string; email: string } | null
  email: string | null
  /** The browser's secret, or the session, where it is known as the person's. */
  device: string | null
}

export async function whoTries(
  deps: Deps,
  sessions: Sessions,
  path: AuthPath,
  { request, reply, body }: Asked,
): Promise<Who> {
  const here = path.session ? await sessions.signedIn(request, reply) : null
  if (!here && path.session === 'needed')
    throw new DomainError('unauthorized', 'You are not signed in. Sign in to go on.')
  const memberships =
    here && path.session === 'needed' ? await listMemberships(deps.db, { userId: here.userId }) : []
  if (here && path.guarded) await requireFactorUsed(deps.db, here, memberships)
  const challenged = path.guess === 'code' && !here ? await challengedPerson(sessions, request) : null
  const typed = typeof body['email'] === 'string' ? body['email'] : null
  const email = here?.email ?? challenged?.email ?? typed
  const held = deviceOf(request)
  const known = email !== null && (await knowsDevice(deps.db, held, email))
  return { here, memberships, challenged, email, device: here?.sessionId ?? (known ? held : null) }
}

/** Whose code is asked for: better-auth remembers it under a name that the browser holds. */
async function challengedPerson(
  sessions: Sessions,
  request: FastifyRequest,
): Promise<{ userId: string; email: string } | null> {
  const { createAuthCookie, internalAdapter } = await (await sessions.auth()).$context
  const signed = cookieOf(request, createAuthCookie('two_factor').name)
  const name = signed && decoded(signed)?.split('.')[0]
  // Before its signature is looked at, it may be anything.
  const challenge =
    name && /^[\w-]{1,128}$/.test(name) ? await internalAdapter.findVerificationValue(name) : null
  // Written by the clock of the host, as better-auth does.
  if (!challenge || challenge.expiresAt < new Date()) return null
  const user = await internalAdapter.findUserById(challenge.value)
  return user ? { userId: user.id, email: user.email } : null
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

export function tryOf(what: Guess, { email, device }: Who, request: FastifyRequest): Try {
  return { what, email, device, address: clientAddress(request) }
}

export interface Outcome {
  status: number
  /** `unknown` where nothing was guessed, rightly or wrongly. */
  kind: 'right' | 'wrong' | 'unknown'
  body: Record<string, unknown>
}

/** What says nothing about a secret. */
const saysNothing = new Set([
  'INVALID_EMAIL',
  'INVALID_TWO_FACTOR_COOKIE',
  'SESSION_NOT_FRESH',
  'CHALLENGE_NOT_FOUND',
  'TOTP_NOT_ENABLED',
  'TOTP_ALREADY_ENABLED',
  'BACKUP_CODES_NOT_ENABLED',
  'VALIDATION_ERROR',
])

export async function outcomeOf(answer: Response): Promise<Outcome> {
  const body = await answer.json().catch(() => null)
  const found = Array.isArray(body) ? { items: body } : ((body ?? {}) as Record<string, unknown>)
  const { status } = answer
  if (status < 400) return { status, kind: 'right', body: found }
  // What cannot be verified is the caller's fault.
  if (found['code'] === 'FAILED_TO_VERIFY_REGISTRATION') return { status: 400, kind: 'unknown', body: found }
  if (status >= 500)
    throw new DomainError('unavailable', 'Signing in cannot be seen to just now. Retry shortly.')
  const guessed = (status === 400 || status === 401) && !saysNothing.has(String(found['code']))
  return { status, kind: guessed ? 'wrong' : 'unknown', body: found }
}
