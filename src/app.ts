import { isUtf8 } from 'node:buffer'
import type { Socket } from 'node:net'
import fastify, { type FastifyInstance, LogController } from 'fastify'
import { calendarFeeds } from './api/calendar-feeds/plugin.ts'
import { catalogApi } from './api/catalog/plugin.ts'
import { companyApi } from './api/company/plugin.ts'
import { answerSchemas } from './api/company/schemas.ts'
import { serveMissing, wantsPage } from './api/console/assets.ts'
import { consoleFace } from './api/console/plugin.ts'
import { createSessions, type Sessions } from './api/console/sessions.ts'
import type { Deps } from './api/deps.ts'
import { fileRoutes } from './api/files/plugin.ts'
import { createAnswered } from './api/http/answered.ts'
import { type ConnectionLimits, connectionLimits, limitConnections } from './api/http/connections.ts'
import { answerError, errorBody } from './api/http/errors.ts'
import { ignoreBodies } from './api/http/json-body.ts'
import { noSuchAddress, watchRoutes } from './api/http/known-routes.ts'
import { Overloaded, watchLoad } from './api/http/overload.ts'
import { requestId } from './api/http/request-id.ts'
import {
  bodyTimeout,
  limitRequestTime,
  type RequestTimeLimits,
  requestTimeLimits,
} from './api/http/request-time-limit.ts'
import {
  limitResponseTime,
  type ResponseTimeLimits,
  responseTimeLimits,
} from './api/http/response-time-limit.ts'
import { schemasNamed } from './api/http/schemas-named.ts'
import { securityHeaderLines, securityHeaders } from './api/http/security-headers.ts'
import { traceCalls } from './api/http/trace-calls.ts'
import { legacyApi } from './api/legacy/plugin.ts'
import { mcpFace } from './api/mcp/plugin.ts'
import { opsRoutes } from './api/ops/plugin.ts'
import { pages } from './api/pages/plugin.ts'
import { proposalPages } from './api/proposals/plugin.ts'
import { sharedPages } from './api/shared/plugin.ts'
import { DomainError } from './domain/kernel/domain-error.ts'

const bodyLimitBytes = 1_048_576
/** In which the head of a request must have come. */
const headMs = 20_000

declare module 'fastify' {
  interface FastifyRequest {
    /** Refused because there is too much to do: such calls are counted and not told one by one. */
    turnedAway: boolean
  }
}

/** How slow callers may be, and how many; others than usual where a test cannot wait. */
export interface CallerLimits {
  arrival: RequestTimeLimits
  departure: ResponseTimeLimits
  connections: ConnectionLimits
}

export const usualLimits: CallerLimits = {
  arrival: requestTimeLimits,
  departure: responseTimeLimits,
  connections: connectionLimits,
}

/** Puts the faces together into one server, which does not listen yet. */
export async function buildApp(deps: Deps, limits = usualLimits): Promise<FastifyInstance> {
  const { state, log } = deps
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: bodyLimitBytes,
    requestIdHeader: false,
    trustProxy: deps.trustedProxies.length > 0 ? [...deps.trustedProxies] : false,
    genReqId: requestId,
    return503OnClosing: false,
    keepAliveTimeout: 72_000,
    // Node bounds the whole head of a request to 16 KiB, so no id is ever too long for the router.
    routerOptions: { maxParamLength: 16_384 },
    http: { requireHostHeader: false, headersTimeout: headMs, connectionsCheckingInterval: 5_000 },
    rewriteUrl: (request) => wellFormedUrl(request.url ?? '/'),
    clientErrorHandler: (error, socket) => answerClientError(error, socket, deps),
  }) as unknown as FastifyInstance

  const closeToBrowsers = securityHeaders(deps.addresses.baseUrl)
  const { connectionEnded } = deps.metrics
  limitConnections(app.server, limits.connections, deps.trustedProxies, connectionEnded)
  const endDepartures = limitResponseTime(app.server, limits.departure, connectionEnded)
  app.addHook('onClose', async () => endDepartures())
  app.decorateRequest('turnedAway', false)
  traceCalls(app)
  watchRoutes(app)
  const load = watchLoad(deps.db)
  app.addHook('onClose', async () => load.close())
  limitRequestTime(app, limits.arrival, connectionEnded)
  const answered = createAnswered(deps)
  app.addHook('onRequest', (request, reply, done) => {
    load.began()
    // Which comes for those too who hang up; onResponse does not.
    reply.raw.once('close', load.ended)
    answered.watch(request, reply)
    reply.header('x-request-id', request.id)
    closeToBrowsers(reply)
    const { headers, httpVersion } = request.raw
    // Node would refuse this itself, in another shape.
    if (headers.host === undefined && httpVersion === '1.1') {
      reply.header('connection', 'close')
      return done(new DomainError('invalid', 'The request has no Host header. Send one.'))
    }
    // Whoever watches the server goes on seeing it.
    if (request.routeOptions.url?.endsWith('z')) return done()
    if (state.phase !== 'ready') reply.header('connection', 'close')
    if (state.phase === 'starting' || state.phase === 'stopping')
      return done(new DomainError('unavailable', `The server is ${state.phase}. Retry shortly.`))
    const tooMuch = load.tooMuch()
    if (tooMuch === null) return done()
    request.turnedAway = true
    deps.metrics.turnedAway()
    done(new Overloaded(tooMuch))
  })
  app.addHook('onResponse', (request, reply, done) => {
    answered.done(request, reply)
    done()
  })
  app.addHook('onClose', async () => answered.close())
  app.setErrorHandler((error, request, reply) =>
    answerError(error, request, reply, (code, message) => errorBody(code, message, deps.addresses.baseUrl)),
  )
  app.setNotFoundHandler((request, reply) => {
    if (wantsPage(request)) return serveMissing(request, reply)
    throw noSuchAddress(request, reply, 'The first page says what is served.')
  })

  const sessions = createSessions(deps)
  app.addHook('onClose', () => sessions.close())

  // Outside the interfaces nothing takes a body: what is sent is let go unread.
  ignoreBodies(app)
  await app.register(async (scope) => opsRoutes(scope, deps))
  if (!deps.opsOnly) await registerFaces(app, deps, sessions)
  await app.ready()
  return app
}

async function registerFaces(app: FastifyInstance, deps: Deps, sessions: Sessions): Promise<void> {
  await app.register(async (scope) => consoleFace(scope, deps, sessions))
  await app.register(async (scope) => pages(scope, deps))
  await app.register(async (scope) => proposalPages(scope, deps, sessions))
  await app.register(async (scope) => fileRoutes(scope, deps))
  await app.register(async (scope) => sharedPages(scope, deps, sessions))
  await app.register(async (scope) => calendarFeeds(scope, deps))
  await app.register(async (scope) => companyApi(scope, deps), { prefix: '/v1' })
  await app.register(async (scope) => legacyApi(scope, deps), { prefix: '/legacy' })
  await app.register(async (scope) => mcpFace(scope, deps))
  const dealSchemas = schemasNamed(answerSchemas, webhookRecords)
  await app.register(async (scope) => catalogApi(scope, deps, dealSchemas), { prefix: '/catalog/v1' })
}

/** What the catalogue API's webhooks tell of, and the company-key API describes. */
const webhookRecords = ['Lead', 'Project', 'ActivityEventData', 'WithdrawnEventData', 'FileEventData']

/** A percent sign that encodes nothing is taken as itself, so that such an id is unknown and no more. */
function wellFormedUrl(url: string): string {
  if (!url.includes('%')) return url
  return url.replace(/(?:%[0-9a-f]{2})+|%/gi, (run) => (isEncoded(run) ? run : run.replaceAll('%', '%25')))
}

/** Not found out by decoding it: what thousands of percent signs would throw takes longer than the call. */
function isEncoded(run: string): boolean {
  return run.length > 1 && isUtf8(Buffer.from(run.replaceAll('%', ''), 'hex'))
}

/** What is not HTTP at all still gets an answer in the one shape. */
function answerClientError(
  error: Error & { code?: string },
  socket: Socket,
  { addresses: { baseUrl }, metrics }: Deps,
): void {
  const slowHead = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
  if (slowHead) metrics.connectionEnded('slow head')
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const late = slowHead || error.code === bodyTimeout
  const large = error.code === 'HPE_HEADER_OVERFLOW'
  const message = late
    ? 'The request did not arrive in time.'
    : large
      ? 'The headers are too large.'
      : 'The request is not valid HTTP.'
  const body = errorBody('invalid', message, baseUrl)
  socket.end(
    [
      'HTTP/1.1 400 Bad Request',
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${requestId({ headers: {} })}`,
      ...securityHeaderLines(baseUrl),
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}
