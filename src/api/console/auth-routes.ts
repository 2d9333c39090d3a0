import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DomainError, TryLater } from '../../domain/kernel/domain-error.ts'
import { normalEmail } from '../../domain/kernel/email.ts'
import { type Guess, mayMail, startTry } from '../../domain/tenants/people/sign-in-limits.ts'
import { createWaitQueue } from '../../platform/wait-queue.ts'
import type { Deps } from '../deps.ts'
import { acceptJson } from '../http/json-body.ts'
import { sendJson } from '../http/send-json.ts'
import { authPaths } from './auth-paths.ts'
import { afterwards, askedOf, beforehand } from './auth-steps.ts'
import { createAuthTrail } from './auth-trail.ts'
import { headersOf } from './request-headers.ts'
import type { Sessions } from './sessions.ts'
import { outcomeOf, tryOf, type Who, whoTries } from './sign-in-tries.ts'

/** The attestation of a passkey is the longest, with a chain of certificates. */
const bodyLimitBytes = 16 * 1024
/** A password takes some 60 ms of a core and 32 MB to check: who would wait for long is told so instead. */
const atOnce = { concurrency: 4, maxWaiting: 100 }
/** Longer than writing a mail takes, so that it does not show whether one was written. */
const resetAnswerMs = 250

type Body = Record<string, unknown>
type AuthRequest = FastifyRequest<{ Body: Body | undefined; Params: { '*': string } }>

/** Hands requests about signing in to better-auth: what of them it needs, and not too often. */
export function authRoutes(app: FastifyInstance, deps: Deps, sessions: Sessions): void {
  acceptJson(app, { asTyped: ['password', 'newPassword', 'currentPassword'] })
  const inLine = createWaitQueue(atOnce)
  const trail = createAuthTrail(deps)

  app.route<{ Body: Body | undefined; Params: { '*': string } }>({
    method: ['GET', 'POST'],
    url: '/console/auth/*',
    bodyLimit: bodyLimitBytes,
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      const name = `${request.method} ${request.params['*']}`
      const path = Object.hasOwn(authPaths, name) ? authPaths[name] : undefined
      if (!path) throw new DomainError('not_found', 'There is no such address for signing in.')
      const body = withNormalEmail(pick(request.body, path.fields))
      const who = await whoTries(deps, sessions, path, { request, reply, body })
      const tried = path.guess ? await begin(name, path.guess, who, request) : null

      if (path.guess === 'reset') {
        await Promise.all([setTimeout(resetAnswerMs), askForReset(request, body)])
        return sendJson(reply, '{}')
      }
      try {
        const noted = await beforehand(deps, name, who, body)
        const answer = await inLine(() => askedOf(deps, name, who, () => handOn(request, body)))
        const outcome = await outcomeOf(answer)
        if (outcome.kind === 'right') tried?.right()
        if (outcome.kind === 'unknown') tried?.void()
        copyCookies(answer, reply)
        const chooserEmail = noted.chooser?.email ?? null
        await trail.note(name, { request, who, outcome, chooserEmail, body })
        const response = await afterwards(deps, name, { who, noted, outcome, request, reply })
        return sendJson(reply.code(outcome.status), JSON.stringify(response))
      } catch (error) {
        tried?.void()
        throw error
      }
    },
  })

  async function begin(name: string, guess: Guess, who: Who, request: AuthRequest) {
    try {
      return await startTry(deps.attempts, tryOf(guess, who, request))
    } catch (error) {
      if (error instanceof TryLater) await trail.noteHeldBack(name, request, who.email)
      throw error
    }
  }

  async function handOn(request: AuthRequest, body: Body): Promise<Response> {
    const url = URL.parse(request.url.split('?')[0]!, `${request.protocol}://${request.headers.host}`)
    if (!url) throw new DomainError('invalid', 'The Host header is no host name. Send the one you called.')
    const headers = headersOf(request)
    headers.delete('content-length')
    const asked = new Request(url, {
      method: request.method,
      headers,
      ...(request.method === 'POST' ? { body: JSON.stringify(body) } : {}),
    })
    return sessions.ask(
      (auth) => auth.handler(asked),
      ({ status }) => status >= 400,
    )
  }

  /** Whatever comes of it is not told: it would say whose address is known. */
  async function askForReset(request: AuthRequest, body: Body): Promise<void> {
    const { email } = body
    if (typeof email !== 'string' || !(await mayMail(deps.attempts, email))) return
    const answer = await handOn(request, body)
    if (answer.status >= 500)
      deps.log.warn({ requestId: request.id }, 'a link for a password was not written')
    else await trail.noteResetAsked(request, email)
  }
}

function pick(body: Body | undefined, fields: readonly string[]): Body {
  return Object.fromEntries(
    fields.flatMap((field) => (body && Object.hasOwn(body, field) ? [[field, body[field]]] : [])),
  )
}

/** better-auth would make a form of its own. What is no address is nobody's, and answered so by better-auth. */
function withNormalEmail(body: Body): Body {
  const { email } = body
  return typeof email === 'string' ? { ...body, email: normalEmail(email) ?? '' } : body
}

function copyCookies(answer: Response, reply: FastifyReply): void {
  for (const cookie of answer.headers.getSetCookie()) reply.header('set-cookie', cookie)
}
