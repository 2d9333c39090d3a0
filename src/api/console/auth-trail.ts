import type { FastifyRequest } from 'fastify'
import {
  type AccountEvent,
  createFailureNotes,
  recordAccount,
} from '../../domain/journal/audit/record-account.ts'
import { type Origin, originOf } from '../../domain/journal/audit/security-event.ts'
import { membershipsOf } from '../../domain/tenants/people/queries.ts'
import { currentMs, currentTime } from '../../platform/clock.ts'
import { networkOf } from '../../platform/network.ts'
import type { Deps } from '../deps.ts'
import { clientAddress } from '../http/client-address.ts'
import type { Outcome, Who } from './sign-in-tries.ts'

/** How somebody signs in, by the path that it ends with. */
const ways: Record<string, string> = {
  'POST sign-in/email': 'password',
  'POST two-factor/verify-totp': 'code',
  'POST two-factor/verify-backup-code': 'backupCode',
  'POST passkey/verify-authentication': 'passkey',
}

/** What a person who is signed in does to their own way in. */
const changes: Record<string, AccountEvent['type']> = {
  'POST sign-out': 'security.signed_out',
  'POST change-password': 'security.password_changed',
  'POST two-factor/disable': 'security.codes_turned_off',
  'POST two-factor/generate-backup-codes': 'security.backup_codes_made',
  'POST passkey/verify-registration': 'security.passkey_added',
  'POST passkey/delete-passkey': 'security.passkey_removed',
}

export interface Answered {
  request: FastifyRequest
  who: Who
  outcome: Outcome
  /** Whose password was chosen by a link. */
  chooserEmail: string | null
  /** What was sent, as far as it was handed on. */
  body: Record<string, unknown>
}

export interface AuthTrail {
  /** Notes what came of a call about signing in. */
  note(path: string, answered: Answered): Promise<void>
  /** Notes that a try was not looked at, as there were too many before it. */
  noteHeldBack(path: string, request: FastifyRequest, email: string | null): Promise<void>
  /** Notes that a link to choose a password was asked for in somebody's name. */
  noteResetAsked(request: FastifyRequest, email: string): Promise<void>
}

export function requestOrigin(request: FastifyRequest): Origin {
  return originOf(clientAddress(request), request.headers['user-agent'])
}

export function createAuthTrail(deps: Deps): AuthTrail {
  const { db } = deps
  const noteFailure = createFailureNotes()
  const isFirst = createFirsts()

  async function noteOf(email: string, request: FastifyRequest, event: AccountEvent): Promise<void> {
    await recordAccount(db, currentTime(), await membershipsOf(db, email), requestOrigin(request), event)
  }

  /** Of an account that is not here nothing is noted of what was typed: it may be a password. */
  async function noteWrong(request: FastifyRequest, email: string | null, way: string): Promise<void> {
    const memberships = email === null ? [] : await membershipsOf(db, email)
    const origin = requestOrigin(request)
    if (memberships.length > 0)
      await noteFailure(db, currentTime(), memberships, origin, { type: 'security.sign_in_failed', way })
    else
      deps.log.info(
        { requestId: request.id, from: origin.address, way },
        'a sign-in to no account here has failed',
      )
  }

  return {
    async note(path, { request, who, outcome, chooserEmail, body }) {
      const way = wayOf(path)
      if (outcome.kind === 'wrong' && way) await noteWrong(request, who.email, way)
      const event = outcome.kind === 'right' ? eventOf(path, who, outcome, body) : null
      const email = chooserEmail ?? emailOf(who, outcome)
      if (event && email) await noteOf(email, request, event)
    },
    async noteHeldBack(path, request, email) {
      const way = wayOf(path)
      const origin = requestOrigin(request)
      if (!way || email === null || !isFirst(`${way} ${email} ${networkOf(origin.address ?? '')}`)) return
      const memberships = await membershipsOf(db, email)
      await noteFailure(db, currentTime(), memberships, origin, { type: 'security.sign_in_held_back', way })
    },
    noteResetAsked: (request, email) =>
      noteOf(email, request, { type: 'security.password_reset_asked', byStranger: true }),
  }
}

function wayOf(path: string): string | undefined {
  return ways[path] ?? (path === 'POST change-password' ? 'password' : undefined)
}

const windowMs = 600_000
const maxKept = 10_000

/** Whether something happens for the first time in ten minutes: who is held back costs the database nothing more. */
function createFirsts(): (what: string) => boolean {
  let window = 0
  let known = new Set<string>()
  return (what) => {
    const current = Math.floor(currentMs() / windowMs)
    if (current !== window) {
      window = current
      known = new Set()
    }
    if (known.has(what) || known.size >= maxKept) return false
    known.add(what)
    return true
  }
}

function eventOf(path: string, { here }: Who, outcome: Outcome, body: Answered['body']): AccountEvent | null {
  if (path === 'POST reset-password') return { type: 'security.password_reset' }
  const way = ways[path]
  if (way && !here)
    return outcome.body['twoFactorRedirect']
      ? null
      : { type: 'security.signed_in', changes: { way: [null, way] } }
  // A code that is right while none is asked for yet turns them on.
  if (way)
    return path.endsWith('verify-totp') && !here!.asksForCodes ? { type: 'security.codes_turned_on' } : null
  const type = changes[path]
  if (!type) return null
  const { name } = body
  const called = type === 'security.passkey_added' && typeof name === 'string' ? name.slice(0, 100) : null
  return { type, ...(called ? { changes: { called: [null, called] } } : {}) }
}

function emailOf({ here }: Who, { body }: Outcome): string | null {
  return here?.email ?? (body['user'] as { email?: string } | undefined)?.email ?? null
}
