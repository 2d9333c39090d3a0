import type { FastifyInstance } from 'fastify'
import { sendThumbnail } from '../http/stored-thumbnail.ts'
import type { Parts } from '../parts.ts'
import { type FileParams, findServedFile } from './served-file.ts'

/** Small pictures of files that are pictures: whoever has the address of the file may have its thumbnail. */
export function thumbnailRoutes(app: FastifyInstance, parts: Parts): void {
  app.get<{ Params: FileParams }>('/thumbnails/:number/:token/:name', async (request, reply) =>
    sendThumbnail(request, reply, parts, await findServedFile(parts.db, request.params), null),
  )
}
