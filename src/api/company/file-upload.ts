import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FileAdded } from '../../domain/deals/files/add-files.ts'
import { maxFiles } from '../../domain/deals/files/copy-files.ts'
import { type TakeFile, uploadFiles } from '../../domain/deals/files/upload-file.ts'
import { DomainError } from '../../domain/kernel/domain-error.ts'
import { type Folder, folders, isFolder } from '../../domain/kernel/folder.ts'
import { FormRefused, readForm } from '../../platform/form-data.ts'
import type { Deps } from '../deps.ts'
import { matchingContext } from '../http/etag.ts'
import { inTurn } from '../http/upload-turns.ts'

export const formType = 'multipart/form-data'

const invalid = (message: string) => new DomainError('invalid', `${message}. Nothing was added.`)

/** Takes in the files of a form, within the share of receiving that the company has. */
export function uploadForm(
  deps: Deps,
  request: FastifyRequest<{ Params: { id: string } }>,
  reply: FastifyReply,
  form: Readable,
): Promise<FileAdded[]> {
  const ctx = matchingContext(deps, request)
  const { 'content-length': length = 0, 'content-type': type = '' } = request.headers
  return inTurn(deps, ctx.actor, request, reply, () =>
    uploadFiles(ctx, deps.copying, request.params.id, Number(length), (take) =>
      receiveAll(form, type, take, request.repeatable),
    ),
  )
}

/** Hands over the files of a form as they arrive; says in the end which folder they are for. */
async function receiveAll(
  form: Readable,
  contentType: string,
  take: TakeFile,
  repeatable: FastifyRequest['repeatable'],
): Promise<Folder> {
  let folder: Folder | null = null
  const taken: string[][] = []
  await readForm(form, contentType, maxFiles, {
    field(name, value) {
      if (name === 'files') throw invalid('files: send each as a file, with its file name')
      if (name !== 'folder') throw unknownPart(name)
      if (folder !== null) throw invalid('folder is there twice')
      const given = value.trim()
      if (!isFolder(given)) throw invalid(`folder must be one of ${folders.join(', ')}`)
      folder = given
    },
    async file(name, fileName, contents) {
      if (name !== 'files') throw unknownPart(name)
      const { sha256 } = await take({ name: fileName, size: null, contents })
      taken.push([fileName, sha256])
    },
  }).catch((error) => {
    throw error instanceof FormRefused ? invalid(`The form ${error.message}`) : error
  })
  if (folder === null) throw invalid('folder is required')
  if (taken.length === 0) throw invalid('files must have at least 1 item')
  // What was asked for is known by its contents: a boundary is another each time.
  await repeatable?.claimWith(JSON.stringify([folder, taken]))
  return folder
}

function unknownPart(name: string): DomainError {
  const shown = name.length > 100 ? `${name.slice(0, 100)}…` : name
  return invalid(`${shown || 'A part without a name'} is not a field here (there are: folder, files)`)
}
