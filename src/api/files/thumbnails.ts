import type { FastifyInstance } from 'fastify'
import type { Deps } from '../deps.ts'
import { sendThumbnail } from '../http/stored-thumbnail.ts'
import { type FileParams, findServedFile } from './served-file.ts'

/** Small pictures of files that are pictures: whoever has the address of the file may have its thumbnail. */
export function thumbnailRoutes(app: FastifyInstance, deps: Deps): void {
  app.get<{ Params: FileParams }>('/thumbnails/:number/:token/:name', async (request, reply) =>
    sendThumbnail(request, reply, deps, await findServedFile(deps.db, request.params), null),
  )
}
