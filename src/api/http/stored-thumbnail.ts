import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ServedFile } from '../../domain/deals/files/queries.ts'
import type { Actor } from '../../domain/kernel/context.ts'
import { notFound } from '../../domain/kernel/domain-error.ts'
import type { Db } from '../../platform/db.ts'
import type { FileStore } from '../../platform/file-store/file-store.ts'
import {
  hasThumbnail,
  PictureUnreadable,
  type Thumbnails,
  thumbnailSidePixels,
} from '../../platform/thumbnail.ts'
import { isKnown } from './etag.ts'
import { hangUp } from './hang-up.ts'
import { noteRequested } from './opening.ts'
import { harmless } from './stored-file.ts'

/** Answers a small picture of a file that is one. Browsers ask each time whether they may still show it. */
export async function sendThumbnail(
  request: FastifyRequest,
  reply: FastifyReply,
  { db, thumbnails, copying }: { db: Db; thumbnails: Thumbnails; copying: { store: FileStore } },
  file: ServedFile,
  by: Actor | null,
): Promise<FastifyReply> {
  if (!hasThumbnail(file.type)) throw notFound('picture')
  // Made from these contents at this size: another size is another thumbnail.
  const etag = `"${file.sha256}-${thumbnailSidePixels}"`
  const known = isKnown(request.headers['if-none-match'], etag)
  const share = { group: file.installerId, owner: by?.companyId ?? file.installerId }
  const open = async () => (await copying.store.open(file.storeKey))?.stream ?? null
  const small = known ? null : await make(thumbnails, share, open, hangUp(reply))
  // It is small, and still shows who somebody is.
  await noteRequested(db, request, by, { ...file, fileId: file.id })
  harmless(reply).header('cache-control', 'private, no-cache').header('etag', etag)
  return known ? reply.code(304).send() : reply.header('content-type', 'image/webp').send(small)
}

async function make(thumbnails: Thumbnails, ...work: Parameters<Thumbnails['make']>): Promise<Buffer> {
  try {
    const small = await thumbnails.make(...work)
    if (small) return small
  } catch (error) {
    if (!(error instanceof PictureUnreadable)) throw error
  }
  throw notFound('picture')
}
