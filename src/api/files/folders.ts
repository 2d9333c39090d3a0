import type { FastifyInstance } from 'fastify'
import { notFound } from '../../domain/domain-error.ts'
import { type Folder, folders } from '../../domain/files/file.ts'
import { opensFolder } from '../../domain/files/folder-address.ts'
import { countFolderFiles, findFolderSecret, listFolderFiles } from '../../domain/files/queries.ts'
import type { Db } from '../../platform/db.ts'
import { isId } from '../../platform/ids.ts'
import type { Parts } from '../parts.ts'
import { sendFolderPage } from './folder-page.ts'
import { numberOf } from './served-file.ts'

interface FolderParams {
  number: string
  project: string
  folder: string
  token: string
}

const pageSize = 200

/** The page that lists a folder of a project: whoever has its address may read it, and no other folder. */
export function folderRoutes(app: FastifyInstance, { db }: Parts): void {
  app.get<{ Params: FolderParams; Querystring: { after?: unknown } }>(
    '/folders/:number/:project/:folder/:token',
    async (request, reply) => {
      reply.header('cache-control', 'private, no-store').header('x-robots-tag', 'noindex')
      const { installerNumber, installerId, timezone, projectId, folder } = await open(db, request.params)
      const { after } = request.query
      const afterId = typeof after === 'string' && isId(after, 'file') ? after : ''
      const [files, { total, before }] = await Promise.all([
        listFolderFiles(db, installerId, projectId, folder, afterId, pageSize + 1),
        countFolderFiles(db, installerId, projectId, folder, afterId),
      ])
      return sendFolderPage(reply, {
        installerNumber,
        timezone,
        folder,
        files: files.slice(0, pageSize),
        more: files.length > pageSize,
        total,
        before,
      })
    },
  )
}

/** What the address opens. Unknown, malformed and wrong addresses are told apart by nobody. */
async function open(db: Db, { number, project, folder, token }: FolderParams) {
  const installerNumber = numberOf(number)
  if (installerNumber !== null && isId(project, 'proj') && isFolder(folder)) {
    const found = await findFolderSecret(db, installerNumber, project)
    if (found && opensFolder(found.folderSecret, folder, token)) {
      const { installerId, timezone } = found
      return { installerNumber, installerId, timezone, projectId: project, folder }
    }
  }
  throw notFound('folder')
}

function isFolder(text: string): text is Folder {
  return (folders as readonly string[]).includes(text)
}
