import type { FastifyInstance } from 'fastify'
import { isTracing, tracedCall } from '../../platform/tracing/tracing.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Where calls are traced. */
    traceId?: string
  }
}

/** A span for each call, by its route: addresses hold ids, and some open what they name. */
export function traceCalls(app: FastifyInstance): void {
  if (!isTracing()) return
  app.addHook('onRequest', (request, reply, done) => {
    const { method, headers } = request
    tracedCall(method, headers, (call) => {
      request.traceId = call.traceId
      reply.raw.once('close', () => {
        const route = request.routeOptions.url ?? 'none'
        const hungUp = !reply.raw.writableFinished
        call.end(
          `${method} ${route}`,
          {
            'http.request.method': method,
            'http.route': route,
            'http.response.status_code': reply.statusCode,
            'sunstead.request_id': request.id,
            'sunstead.installer': request.caller?.actor.installerId,
            ...(hungUp ? { 'error.type': 'hung up' } : {}),
          },
          reply.statusCode >= 500,
        )
      })
      done()
    })
  })
}
