import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'

/** What a handler has sent. */
export interface Sent {
  status: number
  payload: unknown
}

/** Runs a handler and catches what it sends, so that it is answered once what it did is certain. */
export async function catchSent(
  handler: RouteHandlerMethod,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Sent> {
  const caught: { sent?: Sent } = {}
  const catching: FastifyReply = Object.create(reply, {
    send: {
      value(payload?: unknown) {
        caught.sent = { status: reply.statusCode, payload }
        return catching
      },
    },
    // biome-ignore lint/suspicious/noThenProperty: it has one, and whoever awaited it would wait for an answer that is only sent later
    then: { value: undefined },
  })
  await handler.call(request.server, request, catching)
  if (!caught.sent) throw new Error('the handler has sent nothing')
  return caught.sent
}
