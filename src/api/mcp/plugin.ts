import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { shareOf } from '../../domain/kernel/context.ts'
import { DomainError } from '../../domain/kernel/domain-error.ts'
import type { Deps } from '../deps.ts'
import { contextOf, keyAuthentication } from '../http/authenticate.ts'
import { reserveQuota } from '../http/body-budget.ts'
import { answerError, errorBody } from '../http/errors.ts'
import { hangUp } from '../http/hang-up.ts'
import { acceptJson } from '../http/json-body.ts'
import { noSuchAddress } from '../http/known-routes.ts'
import { sendJson } from '../http/send-json.ts'
import { callTool } from './call-tool.ts'
import { answerOf, ordinaryCall } from './ordinary-call.ts'
import { path } from './server-info.ts'
import { offerTo } from './tools.ts'

const bodyLimitBytes = 262_144

/** The face for agents: the Model Context Protocol, stateless, by the same keys as the other interfaces. */
export async function mcpFace(app: FastifyInstance, deps: Deps): Promise<void> {
  await app.register(async (scope) => messages(scope, deps), { prefix: path })
}

function messages(app: FastifyInstance, deps: Deps): void {
  acceptJson(app, { uncleaned: true })
  app.setErrorHandler((error, request, reply) =>
    answerError(error, request, reply, (code, message, fields) =>
      errorBody(code, message, deps.addresses.baseUrl, fields),
    ),
  )
  app.decorateRequest('caller', null)
  app.decorateRequest('loggedAs', null)
  app.addHook('onRequest', (request, _reply, done) => done(foreignPage(deps, request)))
  app.addHook('onRequest', keyAuthentication(deps))
  app.addHook('onRequest', (request, reply, done) =>
    request.is404 ? refuseAddress(request, reply, done) : done(),
  )
  // What is not there is this face's to answer, by the hook above: before a body is read.
  app.setNotFoundHandler(() => {})
  reserveQuota(app, deps.bodies, (request) => shareOf(request.caller!.actor))

  app.post('', { bodyLimit: bodyLimitBytes }, (request, reply) => answer(deps, request, reply))
}

/** Without streams and sessions, messages are posted and nothing else is done: the protocol answers other methods by 405. */
function refuseAddress(request: FastifyRequest, reply: FastifyReply, done: (error: Error) => void): void {
  const refused = noSuchAddress(request, reply, `Messages are posted to ${path}.`)
  const error = { code: -32_000, message: refused.message }
  if (reply.hasHeader('allow')) sendJson(reply.code(405), JSON.stringify({ jsonrpc: '2.0', id: null, error }))
  else done(refused)
}

/** No page of another site calls in its visitor's name, also where its name leads to this machine. */
function foreignPage({ addresses }: Deps, { headers: { origin } }: FastifyRequest): DomainError | undefined {
  if (origin === undefined || origin === new URL(addresses.baseUrl).origin) return
  return new DomainError(
    'forbidden',
    'Pages of other sites may not call this address. Call it from a program.',
  )
}

async function answer(deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  if (Array.isArray(request.body))
    throw new DomainError('invalid', 'Messages come one by one. Send each in a call of its own.')
  const call = {
    deps,
    caller: request.caller!,
    ctx: contextOf(deps, request),
    // Most are answered sooner than anybody hangs up. No getter: one would keep the whole call in memory for long (docs/performance.md).
    gone: () => hangUp(reply),
  }
  const ordinary = ordinaryCall(request)
  if (ordinary) {
    const { tool, args } = ordinary
    request.loggedAs = `${path} tools/call ${tool.name}`
    return sendJson(reply, answerOf(ordinary, await callTool(tool, call, args, request)))
  }
  request.loggedAs = loggedAs(request)
  // With the first message that needs it: it is larger than all of this face, and most calls do without.
  const { answerByLibrary } = await import('./by-library.ts')
  const { status, text } = await answerByLibrary(call, request)
  reply.code(status)
  return text === '' ? reply.send() : sendJson(reply, text)
}

const methodForm = /^[a-z]+(\/[a-z_]+){0,3}$/i

/** How the request log names a call: all come to one address. */
function loggedAs({ caller, body }: FastifyRequest): string | null {
  const { method, params } = (body ?? {}) as { method?: unknown; params?: { name?: unknown } }
  if (typeof method !== 'string' || method.length > 60 || !methodForm.test(method)) return null
  const name = params?.name
  const isOffered = method === 'tools/call' && typeof name === 'string' && offerTo(caller!).tools.has(name)
  return isOffered ? `${path} ${method} ${name}` : `${path} ${method}`
}
