import type { Readable } from 'node:stream'
import type { FileAdded } from '../../domain/deals/files/add-files.ts'
import { uploadFile } from '../../domain/deals/files/upload-file.ts'
import { DomainError } from '../../domain/kernel/domain-error.ts'
import type { Deps } from '../deps.ts'
import type { Routes } from '../http/routes.ts'
import { IdParams } from '../http/schema-words.ts'
import { sendJson } from '../http/send-json.ts'
import { inTurn } from '../http/upload-turns.ts'
import { UploadQuery } from './project-requests.ts'
import { contextOf } from './sessions.ts'

/** What became of an upload; not added where the folder has the same contents, under the name answered here. */
export type Uploaded = FileAdded

/** A file from somebody's disk: the body is the file, whatever type it is said to be. */
export function uploadRoutes(app: Routes, deps: Deps): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))

    scope.put<{ Params: { id: string }; Querystring: UploadQuery; Body: Readable | undefined }>(
      '/projects/:id/files',
      // Any type, and none.
      { config: { streamed: '', isFile: true }, schema: { params: IdParams, querystring: UploadQuery } },
      async (request, reply) => {
        const { folder, name } = request.query
        const contents = request.body
        if (!contents) throw new DomainError('invalid', `${name} is an empty file. Nothing was added.`)
        const length = request.headers['content-length']
        const size = length === undefined ? null : Number(length)
        const sent = { name, size, contents }
        const ctx = contextOf(deps, request)
        const file: Uploaded = await inTurn(deps, ctx.actor, request, reply, () =>
          uploadFile(ctx, deps.copying, request.params.id, folder, sent),
        )
        return sendJson(reply.code(file.added ? 201 : 200), JSON.stringify(file))
      },
    )
  })
}
