import type { FastifyReply } from 'fastify'
import { createBufferPool } from '../../platform/buffer-pool.ts'

// Above this, text is turned into bytes once, here: Node would join it with the headers and go over it again.
const longText = 8192
const buffers = createBufferPool(16_384, 4 * 1_048_576)

/** Sends text that is JSON already, in one piece or in parts that need not be joined beforehand. */
export function sendJson(reply: FastifyReply, json: string | readonly string[]): FastifyReply {
  reply.header('content-type', 'application/json; charset=utf-8')
  const parts = typeof json === 'string' ? [json] : json
  let length = 0
  for (const part of parts) length += part.length
  if (length <= longText) return reply.send(parts.length === 1 ? parts[0] : parts.join(''))
  return reply.send(bytesOf(reply, parts))
}

function bytesOf(reply: FastifyReply, parts: readonly string[]): Buffer {
  let bytes = 0
  for (const part of parts) bytes += Buffer.byteLength(part)
  const buffer = buffers.take(bytes)
  let end = 0
  for (const part of parts) end += buffer.write(part, end)
  reply.raw.once('close', () => buffers.giveBack(buffer))
  return buffer.subarray(0, end)
}
