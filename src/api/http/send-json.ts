import type { FastifyReply } from 'fastify'

// Above this, text is turned into bytes once, here: Node would join it with the headers and go over it again.
const longText = 8192

/** Sends text that is JSON already. */
export function sendJson(reply: FastifyReply, json: string): FastifyReply {
  const body = json.length > longText ? Buffer.from(json) : json
  return reply.header('content-type', 'application/json; charset=utf-8').send(body)
}
