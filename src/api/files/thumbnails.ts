import type { FastifyInstance } from 'fastify'
import { DomainError, notFound } from '../../domain/domain-error.ts'
import {
  createThumbnails,
  hasThumbnail,
  PictureUnreadable,
  ThumbnailsBusy,
  thumbnailSidePixels,
} from '../../platform/thumbnail.ts'
import { isKnown } from '../http/etag.ts'
import { hangUp } from '../http/hang-up.ts'
import type { Parts } from '../parts.ts'
import { type FileParams, findServedFile, harmless } from './served-file.ts'

/** Small pictures of files that are pictures: whoever has the address of the file may have its thumbnail. */
export function thumbnailRoutes(app: FastifyInstance, { db, copying }: Parts): void {
  const thumbnails = createThumbnails()

  app.get<{ Params: FileParams }>('/thumbnails/:number/:token/:name', async (request, reply) => {
    const file = await findServedFile(db, request.params)
    if (!hasThumbnail(file.type)) throw notFound('picture')
    // Made from these contents at this size: another size is another thumbnail.
    const etag = `"${file.sha256}-${thumbnailSidePixels}"`
    const known = isKnown(request.headers['if-none-match'], etag)
    const small = known ? null : await make(file.storeKey, hangUp(reply))
    harmless(reply).header('cache-control', 'private, max-age=86400').header('etag', etag)
    return known ? reply.code(304).send() : reply.header('content-type', 'image/webp').send(small)
  })

  async function make(storeKey: string, signal: AbortSignal): Promise<Buffer> {
    try {
      const open = async () => (await copying.store.open(storeKey))?.stream ?? null
      const small = await thumbnails.make(open, signal)
      if (small) return small
    } catch (error) {
      if (error instanceof ThumbnailsBusy) {
        throw new DomainError('unavailable', 'Too many pictures are being made just now. Retry shortly.')
      }
      if (!(error instanceof PictureUnreadable)) throw error
    }
    throw notFound('picture')
  }
}
