import { hash } from 'node:crypto'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '../../domain/kernel/domain-error.ts'
import { createFileCache } from '../../platform/file-cache.ts'
import { root } from '../../platform/root.ts'
import type { Deps } from '../deps.ts'
import { isKnown } from '../http/etag.ts'
import { codingFor } from '../http/packing.ts'
import { escapeHtml, sendPage } from '../http/page.ts'
import { createSearch, foundHtml } from './search.ts'

const folder = join(root, 'site/dist')

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
}

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

const form = /^(?:llms\.txt|docs(?:\/[\w-]+)*(?:\.(?:md|json|txt))?|docs\/assets\/[\w.-]+)$/

const compress = promisify(brotliCompress)

/** Beside the event loop; once for each page, so as small as that gets in a few milliseconds. */
function packed(bytes: Buffer): Promise<Buffer> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  return compress(bytes, { params })
}

/** What a page is sent as: packed once, for as long as the file stays as it is. */
interface Sent {
  bytes: Buffer
  etag: string
  packed?: Promise<Buffer>
}

/** The documentation, as it was built. Addresses in it are written as of a server that was told nothing: ours replace them. */
export function docs(app: FastifyInstance, deps: Deps): void {
  // More than the site has.
  const files = createFileCache(200)
  const sent = new WeakMap<Buffer, Sent>()
  const search = createSearch(() => files.read(join(folder, 'search.json')))

  function withOurAddresses(text: string): string {
    const { baseUrl, legacyBaseUrl, catalogBaseUrl } = deps.addresses
    return text.replaceAll(/http:\/\/127\.0\.0\.1:8080(\/legacy|\/catalog)?(?![\w-])/g, (_, face) =>
      face === '/legacy' ? legacyBaseUrl : face === '/catalog' ? catalogBaseUrl : baseUrl,
    )
  }

  function prepared(file: Buffer, isText: boolean): Sent {
    const known = sent.get(file)
    if (known) return known
    const bytes = isText ? Buffer.from(withOurAddresses(file.toString())) : file
    const one: Sent = { bytes, etag: `W/"${hash('sha1', bytes, 'base64url')}"` }
    sent.set(file, one)
    return one
  }

  async function serve(request: FastifyRequest, reply: FastifyReply) {
    const path = request.url.split('?', 1)[0]!.slice(1).replace(/\/$/, '')
    if (!form.test(path)) return missing(request, reply)
    const isAsset = path.startsWith('docs/assets/')
    const end = extname(path) || '.html'
    const file = await files.read(join(folder, extname(path) ? path : `${path}.html`))
    if (!file || !types[end]) return missing(request, reply)
    const page = prepared(file, !isAsset)
    const { bytes, etag } = page
    reply
      .header('content-type', types[end])
      .header('cache-control', isAsset ? 'public, max-age=31536000, immutable' : 'no-cache')
      .header('etag', etag)
      .header('vary', 'accept-encoding')
    if (end === '.html')
      reply.header('content-security-policy', policy).header('referrer-policy', 'same-origin')
    const known = request.headers['if-none-match']
    if (known !== undefined && isKnown(known, etag)) return reply.code(304).send()
    // A font is packed already.
    if (end === '.woff2' || codingFor(String(request.headers['accept-encoding'] ?? '')) !== 'br')
      return reply.send(bytes)
    page.packed ??= packed(bytes)
    return reply.header('content-encoding', 'br').send(await page.packed)
  }

  /** A page for a person, the one shape of errors for a program. */
  async function missing(request: FastifyRequest, reply: FastifyReply) {
    const isPerson = String(request.headers.accept ?? '').includes('text/html')
    const page = isPerson ? await files.read(join(folder, 'not-found.html')) : null
    if (page) return sendHtml(reply.code(404), page.toString())
    if (!(await files.read(join(folder, 'pages.json')))) return notBuilt(reply)
    throw new DomainError('not_found', 'There is no such page of the documentation. /docs lists them.')
  }

  function sendHtml(reply: FastifyReply, html: string) {
    return reply
      .header('content-type', types['.html'])
      .header('cache-control', 'no-cache')
      .header('content-security-policy', policy)
      .header('referrer-policy', 'same-origin')
      .send(withOurAddresses(html))
  }

  app.get('/docs', serve)
  app.get('/docs/*', serve)
  app.get('/llms.txt', serve)
  // As a form of the page without a script, and as a part of it with one.
  app.get<{ Querystring: { q?: unknown; part?: unknown } }>('/docs/search', async (request, reply) => {
    const { q = '', part } = request.query
    const asked = String(q).slice(0, 100)
    const page = await files.read(join(folder, 'docs/search.html'))
    if (!page) return notBuilt(reply)
    const found = foundHtml(asked, await search(asked))
    if (part !== undefined) return sendHtml(reply, found)
    return sendHtml(reply, filledIn(page.toString(), asked, found))
  })
}

/** The page of the search with what was asked in its field, and what was found below it. */
function filledIn(page: string, asked: string, found: string): string {
  return page.replace('value=""', () => `value="${escapeHtml(asked)}"`).replace('<!--found-->', () => found)
}

function notBuilt(reply: FastifyReply) {
  return sendPage(
    reply.code(503),
    'Sunstead',
    '<h1>The documentation is not built</h1><p>Stop the server and run <code>npm start</code>, which builds it. What each interface offers is described at <code>/v1/openapi.json</code>, <code>/catalog/v1/openapi.json</code> and <code>/legacy/openapi.json</code>.</p>',
  )
}
