import type { FastifyInstance } from 'fastify'
import type { Deps } from '../deps.ts'
import { harmless, sendStoredFile } from '../http/stored-file.ts'
import { folderRoutes } from './folders.ts'
import { type FileParams, findServedFile } from './served-file.ts'
import { thumbnailRoutes } from './thumbnails.ts'

/** Serves the copies, their thumbnails and the pages that list them: whoever has the address may read. */
export async function fileRoutes(app: FastifyInstance, deps: Deps): Promise<void> {
  folderRoutes(app, deps)
  thumbnailRoutes(app, deps)

  app.route<{ Params: FileParams }>({
    // HEAD is named: the one that the framework adds would say that the length is 0.
    method: ['GET', 'HEAD'],
    url: '/files/:number/:token/:name',
    handler: async (request, reply) => {
      const file = await findServedFile(deps.db, request.params)
      // Browsers ask each time whether the address still opens it.
      harmless(reply).header('cache-control', 'private, no-cache')
      return sendStoredFile(request, reply, deps, file, null)
    },
  })
}
