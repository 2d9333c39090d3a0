import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'

/**
 * From where a request came, past the proxies that are trusted. What such a proxy handed on unread and is no address is
 * not believed: the request then came from the proxy.
 */
export function clientAddress({ ip, socket }: FastifyRequest): string {
  if (isIP(ip)) return ip
  // Some proxies add the port.
  const bare = /^\[?([^[\]]+?)\]?:\d{1,5}$/.exec(ip)?.[1]
  if (bare && isIP(bare)) return bare
  return socket.remoteAddress ?? ''
}
