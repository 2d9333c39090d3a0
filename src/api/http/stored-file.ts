import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ServedFile } from '../../domain/deals/files/queries.ts'
import type { Actor } from '../../domain/kernel/context.ts'
import { notFound } from '../../domain/kernel/domain-error.ts'
import type { Db } from '../../platform/db.ts'
import { cleanFileName } from '../../platform/file-name.ts'
import type { FileStore } from '../../platform/file-store/file-store.ts'
import { isKnown } from './etag.ts'
import { noteRequested } from './opening.ts'

/**
 * Answers a file's contents, or the part of them that is asked for. What guards it is the caller's to say, and who opens
 * it: null for whoever has its address.
 */
export async function sendStoredFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { db, copying: { store } }: { db: Db; copying: { store: FileStore } },
  file: ServedFile,
  by: Actor | null,
): Promise<FastifyReply> {
  const size = await store.size(file.storeKey)
  if (size === null) throw notFound('file')
  await noteRequested(db, request, by, { ...file, fileId: file.id })

  const as = { type: file.type, disposition: disposition(file.inline, servedName(file)) }
  // What people see by their session is shown inside our pages, which take nothing from elsewhere.
  const mayRedirect = by === null && request.method === 'GET'
  const address = mayRedirect ? await store.deliveryAddress(file.storeKey, as) : null
  // Where it leads to is for this caller and this minute, so nobody may keep it.
  if (address !== null) return reply.header('cache-control', 'private, no-store').redirect(address, 302)

  reply
    .header('content-type', as.type)
    .header('content-disposition', as.disposition)
    .header('etag', `"${file.sha256}"`)
    .header('accept-ranges', 'bytes')
  if (isKnown(request.headers['if-none-match'], `"${file.sha256}"`)) return reply.code(304).send()

  const range = rangeOf(request.headers.range, size)
  if (range === 'unsatisfiable') {
    return reply.code(416).header('content-range', `bytes */${size}`).send()
  }
  const { start, end } = range ?? { start: 0, end: size - 1 }
  if (range) reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`)
  reply.header('content-length', end - start + 1)
  if (request.method === 'HEAD') return reply.send()
  const stored = await store.open(file.storeKey, { start, end })
  if (!stored) throw notFound('file')
  return reply.send(stored.stream)
}

/** No browser runs what it gets, guesses what it is, shows it inside a stranger's page, or tells where it was. */
export function harmless(reply: FastifyReply): FastifyReply {
  return reply
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', "default-src 'none'; frame-ancestors 'none'; sandbox")
    .header('cross-origin-resource-policy', 'same-site')
    .header('referrer-policy', 'no-referrer')
}

/** The name with the ending of what the file really is. */
function servedName(file: { name: string; extension: string }): string {
  // Names that were kept before they were cleaned are still there.
  const name = cleanFileName(file.name)
  const ending = `.${file.extension}`
  const fits = name.toLowerCase().endsWith(ending) || (ending === '.jpg' && /\.jpeg$/i.test(name))
  return fits ? name : name + ending
}

function disposition(inline: boolean, name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)
  return `${inline ? 'inline' : 'attachment'}; filename="${plain}"; filename*=UTF-8''${encoded}`
}

/** One range of bytes; anything else is answered whole. */
function rangeOf(
  header: string | undefined,
  size: number,
): { start: number; end: number } | 'unsatisfiable' | null {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  if (!match || (match[1] === '' && match[2] === '')) return null
  const [first, last] = [match[1]!, match[2]!]
  if (first !== '' && last !== '' && Number(last) < Number(first)) return null
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  return start > end || start >= size ? 'unsatisfiable' : { start, end }
}
