import type { FastifyReply } from 'fastify'
import { buffers } from '../../platform/buffer-pool.ts'
import type { Share } from '../../platform/fair-queue.ts'
import { createMemoryBudget } from '../../platform/memory-budget.ts'
import { HungUp } from './hang-up.ts'
import { codingFor, pack } from './packing.ts'
import { slowestMs } from './response-time-limit.ts'

// Above this, text is turned into bytes once, here: Node would join it with the headers and go over it again.
const longText = 8192
const megabyte = 1_048_576
/** For long answers until they are taken: a company whose callers do not read fills its own share only. */
const room = createMemoryBudget({
  max: { all: 256 * megabyte, group: 96 * megabyte, owner: 64 * megabyte },
  maxHoldMs: slowestMs,
})

/** A part of an answer that is bytes already. */
interface Bytes {
  bytes: number
  writeTo(target: Buffer, at: number): number
  letGo(): void
}

/** Sends text that is JSON already, in one piece or in parts that need not be joined beforehand. */
export function sendJson(reply: FastifyReply, json: string | readonly (string | Bytes)[]): FastifyReply {
  reply.header('content-type', 'application/json; charset=utf-8')
  const parts = typeof json === 'string' ? [json] : json
  let length = 0
  for (const part of parts) length += typeof part === 'string' ? part.length : longText
  if (length > longText) return reply.send(lentTo(reply, bytesOf(reply, parts)))
  return reply.send(parts.length === 1 ? parts[0] : parts.join(''))
}

/** Sends a page of a list, packed where the caller takes that and it is long enough to be worth it. */
export function sendPage(reply: FastifyReply, parts: readonly (string | Bytes)[]): FastifyReply {
  reply.header('vary', 'accept-encoding')
  const coding = codingFor(reply.request.headers['accept-encoding'])
  if (coding === null) return sendJson(reply, parts)
  reply.header('content-type', 'application/json; charset=utf-8')
  const bytes = bytesOf(reply, parts)
  const packing = pack(bytes, coding)
  if (packing === null) return reply.send(lentTo(reply, bytes))
  // Until then another thread reads them, also where the caller has hung up.
  packing.then(
    (packed) => {
      buffers.giveBack(bytes)
      reply.header('content-encoding', coding).send(packed)
    },
    () => reply.send(lentTo(reply, bytes)),
  )
  return reply
}

/** Sends JSON that is kept as bytes: however many take it slowly, they share it. */
export function sendKept(reply: FastifyReply, json: Buffer): FastifyReply {
  return reply.header('content-type', 'application/json; charset=utf-8').send(json)
}

function bytesOf(reply: FastifyReply, parts: readonly (string | Bytes)[]): Buffer {
  // It would not be told again that they are gone, and the room would be taken for ever.
  if (reply.raw.closed) {
    for (const part of parts) if (typeof part !== 'string') part.letGo()
    throw new HungUp()
  }
  let bytes = 0
  for (const part of parts) bytes += typeof part === 'string' ? Buffer.byteLength(part) : part.bytes
  const held = room.hold(whose(reply))
  reply.raw.once('close', () => held.letGo())
  held.grow(bytes)
  const buffer = buffers.take(bytes)
  let end = 0
  for (const part of parts) {
    if (typeof part === 'string') end += buffer.write(part, end)
    else {
      end += part.writeTo(buffer, end)
      part.letGo()
    }
  }
  return buffer.subarray(0, end)
}

/** Bytes that are sent as they are, and given back when nobody waits for them any more. */
function lentTo(reply: FastifyReply, bytes: Buffer): Buffer {
  reply.raw.once('close', () => buffers.giveBack(bytes))
  return bytes
}

interface Known {
  caller?: { actor: OfCompany } | null
  visitor?: { current: OfCompany } | null
}

interface OfCompany {
  installerId: string
  companyId: string
}

/** What has no caller that we know is everybody's. */
function whose({ request }: FastifyReply): Share {
  const { caller, visitor } = request as Known
  const who = caller?.actor ?? visitor?.current
  return { group: who?.installerId ?? '', owner: who?.companyId ?? '' }
}
