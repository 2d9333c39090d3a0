import { extname, join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '../../domain/kernel/domain-error.ts'
import { createFileCache } from '../../platform/file-cache.ts'
import { root } from '../../platform/root.ts'
import { sendPage } from '../http/page.ts'

const folder = join(root, 'web/dist')
const icon = join(root, 'web/icon.svg')

/** The addresses that are pages of the console; which page it is, the console finds out itself. */
const entrance = ['/sign-in', '/set-up', '/forgot-password', '/reset-password', '/invitation']
const inside = [
  '/',
  '/board',
  '/leads',
  '/leads/:id',
  '/leads/:id/sell',
  '/projects',
  '/projects/:id',
  '/projects/:id/items',
  '/calendar',
  '/search',
  '/account',
  '/approvals',
  '/monitoring',
  '/monitoring/:id',
  '/billing',
  '/billing/invoices/:id',
  '/settings',
  '/settings/:area',
  '/settings/:area/:id',
]

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
}

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; " +
  "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// What a page inside asks first: the answer comes while its script is on its way. Not at the entrance, which asks later
// and would be given an answer of before.
const whoIsHere = '</console/api/session>; rel=preload; as=fetch; crossorigin'

const assetForm = /^[\w.-]+$/

// More than a build has; those of the build before are let go first.
const files = createFileCache(300)

/** Serves the console as it was built. */
export function consoleAssets(app: FastifyInstance): void {
  for (const page of entrance) app.get(page, servePage)
  for (const page of inside) {
    app.get(page, (request, reply) => servePage(request, reply.header('link', whoIsHere)))
  }

  // Where a browser looks by itself: pages that are no part of the console name none.
  app.get('/favicon.ico', async (_request, reply) =>
    reply
      .header('content-type', 'image/svg+xml')
      .header('cache-control', 'public, max-age=86400')
      .send(await files.read(icon)),
  )

  app.get<{ Params: { name: string } }>('/assets/:name', async (request, reply) => {
    const { name } = request.params
    const type = types[extname(name)]
    if (!type || !assetForm.test(name)) throw missing()
    // Names hold a hash of what is in them.
    reply.header('content-type', type).header('cache-control', 'public, max-age=31536000, immutable')
    reply.header('vary', 'accept-encoding')
    const path = join(folder, 'assets', name)
    if (/\bbr\b/.test(String(request.headers['accept-encoding'] ?? ''))) {
      const packed = await files.read(`${path}.br`)
      if (packed) return reply.header('content-encoding', 'br').send(packed)
    }
    const bytes = await files.read(path)
    if (!bytes) throw missing()
    return reply.send(bytes)
  })
}

/** Of programs: there a browser is told in JSON too. */
const ofPrograms = /^\/(v1|legacy|catalog|console|assets)(\/|$)/

/** Whether a person's browser asks for a page at an address where nothing is. */
export function wantsPage({ method, url, headers, server }: FastifyRequest): boolean {
  const path = url.split('?', 1)[0]!
  return (
    method === 'GET' &&
    String(headers.accept ?? '').includes('text/html') &&
    !ofPrograms.test(path) &&
    server.methodsOf(path).length === 0
  )
}

/** The console, which says itself that it has no such page. */
export function serveMissing(request: FastifyRequest, reply: FastifyReply) {
  return servePage(request, reply.code(404))
}

async function servePage(_request: FastifyRequest, reply: FastifyReply) {
  const page = await files.read(join(folder, 'index.html'))
  if (!page) {
    return sendPage(
      reply.code(503),
      'Sunstead',
      '<h1>The console is not built</h1><p>Stop the server and run <code>npm start</code>, which builds it. The API is served: see the <a href="/docs">reference</a>.</p>',
    )
  }
  return reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('cache-control', 'no-cache')
    .header('content-security-policy', policy)
    .header('referrer-policy', 'same-origin')
    .send(page)
}

function missing(): DomainError {
  return new DomainError(
    'not_found',
    'There is no such file. Reload the page: a newer version may be served.',
  )
}
