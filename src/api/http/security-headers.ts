import type { FastifyReply } from 'fastify'

/** Nothing is run, fetched or framed: what an answer says that is no page. */
const closedPolicy = "default-src 'none'; frame-ancestors 'none'"

/**
 * What every answer says to a browser, errors and redirects too, before anything else is known of it. Whoever serves
 * what may be kept, framed or run says so over these: a route that forgets is closed.
 */
export function securityHeaders(baseUrl: string): (reply: FastifyReply) => void {
  const transport = transportFor(baseUrl)
  return (reply) => {
    reply.header('x-content-type-options', 'nosniff')
    reply.header('referrer-policy', 'no-referrer')
    if (transport !== null) reply.header('strict-transport-security', transport)
    closeAnswer(reply)
  }
}

function closeAnswer(reply: FastifyReply): void {
  reply.header('content-security-policy', closedPolicy)
  reply.header('cache-control', 'no-store')
}

const ofContents = [
  'content-disposition',
  'content-encoding',
  'content-range',
  'accept-ranges',
  'etag',
  'link',
]

/** An error is not kept, named or unpacked as what it was asked for would have been. */
export function closeError(reply: FastifyReply): void {
  for (const name of ofContents) reply.removeHeader(name)
  closeAnswer(reply)
}

/** The same as lines, for what is answered without a reply. */
export function securityHeaderLines(baseUrl: string): string[] {
  const transport = transportFor(baseUrl)
  return [
    'x-content-type-options: nosniff',
    'referrer-policy: no-referrer',
    ...(transport === null ? [] : [`strict-transport-security: ${transport}`]),
    `content-security-policy: ${closedPolicy}`,
    'cache-control: no-store',
  ]
}

/** Without the subdomains: other services may live there. */
function transportFor(baseUrl: string): string | null {
  return baseUrl.startsWith('https:') ? 'max-age=31536000' : null
}
