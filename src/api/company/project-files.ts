import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { addFiles, type FileAdded } from '../../domain/deals/files/add-files.ts'
import type { FileRequest } from '../../domain/deals/files/copy-files.ts'
import { deleteFile } from '../../domain/deals/files/delete-file.ts'
import { listFiles } from '../../domain/deals/files/list-files.ts'
import type { Answer } from '../../domain/journal/idempotency/call.ts'
import { DomainError } from '../../domain/kernel/domain-error.ts'
import type { Deps } from '../deps.ts'
import { answers } from '../http/answers.ts'
import { contextOf } from '../http/authenticate.ts'
import { matchingContext } from '../http/etag.ts'
import { hangUp } from '../http/hang-up.ts'
import { sendJson } from '../http/send-json.ts'
import { compileSchema } from '../http/validation.ts'
import { FileListQuery, FileParams, UploadForm } from './file-schemas.ts'
import { formType, uploadForm } from './file-upload.ts'
import { FilesBody, NoQuery, ProjectIdParams } from './request-schemas.ts'

const tags = ['Projects']
const json = 'application/json'

export function projectFileRoutes(app: FastifyInstance, deps: Deps): void {
  app.get<{ Params: { id: string }; Querystring: FileListQuery }>(
    '/projects/:id/files',
    {
      schema: {
        operationId: 'listFiles',
        tags,
        summary: 'List a project’s files',
        description: 'The newest first. A dealer’s key sees none of `internal`.',
        params: ProjectIdParams,
        querystring: FileListQuery,
        response: answers({ 200: ['ProjectFilePage', 'A page of files'] }, [400, 403, 404]),
      },
    },
    async (request, reply) => {
      const ctx = contextOf(deps, request)
      const { limit = 50, cursor, folder = null } = request.query
      const bindingOf = (projectId: string) => ['files', ctx.actor.companyId, projectId, limit, folder]
      const { projectId, files, next } = await listFiles(
        ctx,
        request.params.id,
        folder,
        (id) => (cursor === undefined ? null : deps.cursors.read(cursor, bindingOf(id))),
        limit,
      )
      const data = files.map(({ path, ...file }) => ({ ...file, url: deps.addresses.baseUrl + path }))
      const page = { data, next: next && deps.cursors.write(next, bindingOf(projectId)) }
      return sendJson(reply, JSON.stringify(page))
    },
  )

  app.register(async (scope) => {
    scope.addContentTypeParser(formType, (_request, payload, done) => done(null, payload))

    scope.post<{ Params: { id: string }; Body: FilesBody | Readable }>(
      '/projects/:id/files',
      {
        config: {
          etag: 'change',
          streamed: formType,
          isFile: true,
          repeats: {
            kept: ({ body }) => (body instanceof Readable ? 'streamed' : 'claimed'),
            repeated: heldAlready,
          },
        },
        schema: {
          operationId: 'addFiles',
          tags,
          summary: 'Add files',
          description: [
            'Only the installer’s key. All of a call’s files are added, or none.',
            'By their addresses, as JSON: the service copies each into its own store. An address that the folder holds already is not added again.',
            'Or from a disk, as a form (`multipart/form-data`): up to 10 parts called `files` and a field `folder`. What the folder holds already, whatever its name, is not added again.',
          ].join('\n\n'),
          params: ProjectIdParams,
          body: { content: { [json]: { schema: FilesBody }, [formType]: { schema: UploadForm } } },
          querystring: NoQuery,
          response: answers(
            {
              201: ['FilesAdded', 'At least one file was added'],
              200: ['FilesAdded', 'Every file was held already'],
            },
            [400, 403, 404],
          ),
        },
        // A form is looked at as it arrives.
        validatorCompiler: (part) =>
          part.httpPart === 'body' && part.contentType === formType
            ? (form) => ({ value: form })
            : compileSchema(part),
        // What says no type is held against no schema.
        preValidation: (request, _reply, done) =>
          done(
            request.body === undefined
              ? new DomainError('invalid', 'the body must be an object.')
              : undefined,
          ),
      },
      async (request, reply) => {
        const { body } = request
        const files =
          body instanceof Readable
            ? await uploadForm(deps, request, reply, body)
            : await addByAddress(deps, request, reply, body)
        const status = files.some((file) => file.added) ? 201 : 200
        return sendJson(reply.code(status), JSON.stringify({ files }))
      },
    )
  })

  app.delete<{ Params: { id: string; fileId: string } }>(
    '/projects/:id/files/:fileId',
    {
      config: { etag: 'change' },
      schema: {
        operationId: 'deleteFile',
        tags,
        summary: 'Remove a file',
        description: 'Only the installer’s key. Its addresses answer no more, and its contents are gone.',
        params: FileParams,
        querystring: NoQuery,
        response: answers({ 204: [null, 'The file is gone'] }, [400, 403, 404]),
      },
    },
    async (request, reply) => {
      const { id, fileId } = request.params
      await deleteFile(matchingContext(deps, request), deps.copying.store, id, fileId)
      return reply.code(204).send()
    },
  )
}

/** What the specification answers where nothing is to be done any more. */
function heldAlready(first: Answer): Answer {
  if (first.status !== 201) return first
  const { files } = JSON.parse(first.body) as { files: FileAdded[] }
  return { status: 200, body: JSON.stringify({ files: files.map((file) => ({ ...file, added: false })) }) }
}

function addByAddress(
  deps: Deps,
  request: FastifyRequest<{ Params: { id: string } }>,
  reply: FastifyReply,
  { folder, files }: FilesBody,
): Promise<FileAdded[]> {
  return addFiles(
    matchingContext(deps, request),
    deps.copying,
    request.params.id,
    { folder, files: files as FileRequest[] },
    hangUp(reply),
  )
}
