import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { DomainError } from '../../domain/kernel/domain-error.ts'

const forwarding = /^(x-forwarded-|x-real-ip$|x-client-ip$|forwarded$|via$)/
const bearer = /^Bearer +(\S+) *$/i

/**
 * Metrics tell what is called how often and how much memory there is: they are for this machine's own programs, and for
 * who has the token. Whoever comes through a proxy of this machine comes from elsewhere.
 */
export function requireMetricsReader(
  request: FastifyRequest,
  reply: FastifyReply,
  token: string | null,
): void {
  if (isOfThisMachine(request)) return
  if (token === null) {
    // As of an address that is not there: nothing is told of what might be.
    throw new DomainError('not_found', 'There is no such address. The first page says what is served.')
  }
  const sent = bearer.exec(request.headers.authorization ?? '')?.[1]
  if (sent !== undefined && areEqual(sent, token)) return
  reply.header('www-authenticate', 'Bearer')
  throw new DomainError('unauthorized', 'Send METRICS_TOKEN in the header "Authorization: Bearer …".')
}

/** By the connection itself: what a proxy says of its caller counts for nothing here, and that it says so does. */
function isOfThisMachine({ raw }: FastifyRequest): boolean {
  const { remoteAddress = '' } = raw.socket
  if (!ipaddr.isValid(remoteAddress) || ipaddr.process(remoteAddress).range() !== 'loopback') return false
  return !Object.keys(raw.headers).some((name) => forwarding.test(name))
}

/** Takes the same time however much of it is right. */
function areEqual(a: string, b: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(a), hash(b))
}
