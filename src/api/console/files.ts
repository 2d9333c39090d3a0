import { deleteFile } from '../../domain/deals/files/delete-file.ts'
import { readFile } from '../../domain/deals/files/read-files.ts'
import type { Deps } from '../deps.ts'
import type { Routes } from '../http/routes.ts'
import { sendJson } from '../http/send-json.ts'
import { sendStoredFile } from '../http/stored-file.ts'
import { sendThumbnail } from '../http/stored-thumbnail.ts'
import { FileParams } from './project-requests.ts'
import { pdf } from './project-responses.ts'
import { contextOf } from './sessions.ts'

/** The files of a project: opened in a tab, and taken away. */
export function fileRoutes(app: Routes, deps: Deps): void {
  app.route<{ Params: FileParams }>({
    // HEAD is named: the one that the framework adds would say that the length is 0.
    method: ['GET', 'HEAD'],
    url: '/projects/:id/files/:fileId',
    schema: { params: FileParams },
    handler: async (request, reply) => {
      const { id, fileId } = request.params
      const ctx = contextOf(deps, request)
      const file = await readFile(ctx, id, fileId)
      reply
        .header('x-content-type-options', 'nosniff')
        .header('content-security-policy', policyOf(file.type))
        .header('cross-origin-resource-policy', 'same-origin')
        .header('referrer-policy', 'no-referrer')
      const inline = file.type === pdf || file.inline
      return sendStoredFile(request, reply, deps, { ...file, inline }, ctx.actor)
    },
  })

  app.get(
    '/projects/:id/files/:fileId/thumbnail',
    { schema: { params: FileParams } },
    async (request, reply) => {
      const { id, fileId } = request.params
      const ctx = contextOf(deps, request)
      return sendThumbnail(request, reply, deps, await readFile(ctx, id, fileId), ctx.actor)
    },
  )

  app.delete('/projects/:id/files/:fileId', { schema: { params: FileParams } }, async (request, reply) => {
    const { id, fileId } = request.params
    await deleteFile(contextOf(deps, request), deps.copying.store, id, fileId)
    return sendJson(reply, '{}')
  })
}

/**
 * Nothing that a file holds is run or fetched. The browser's own viewer of PDFs is a plug-in to it, which a sandbox
 * would keep from starting; what runs in a PDF stays inside of that viewer.
 */
function policyOf(type: string): string {
  return type === pdf
    ? "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'"
    : "default-src 'none'; frame-ancestors 'none'; sandbox"
}
