import type { FastifyInstance } from 'fastify'
import { filePath, thumbnailPath } from '../../domain/deals/files/file.ts'
import { opensFolder } from '../../domain/deals/files/folder-address.ts'
import { findFolderSecret } from '../../domain/deals/files/queries.ts'
import { notFound } from '../../domain/kernel/domain-error.ts'
import { isFolder } from '../../domain/kernel/folder.ts'
import { findInstallerNumbered } from '../../domain/kernel/tenant/queries.ts'
import type { Db } from '../../platform/db.ts'
import { isId } from '../../platform/ids.ts'
import type { Deps } from '../deps.ts'
import { sendFolderListing } from '../http/folder-listing.ts'
import { numberOf } from './served-file.ts'

interface FolderParams {
  number: string
  project: string
  folder: string
  token: string
}

/** The page that lists a folder of a project: whoever has its address may read it, and no other folder. */
export function folderRoutes(app: FastifyInstance, { db }: Deps): void {
  app.get<{ Params: FolderParams }>('/folders/:number/:project/:folder/:token', async (request, reply) => {
    reply.header('cache-control', 'private, no-store').header('x-robots-tag', 'noindex')
    const { installerNumber, ...listed } = await open(db, request.params)
    const paths = (file: { token: string; name: string }) => ({
      file: filePath(installerNumber, file),
      thumbnail: thumbnailPath(installerNumber, file),
    })
    return sendFolderListing(request, reply, db, { ...listed, paths }, null)
  })
}

/** What the address opens. Unknown, malformed and wrong addresses are told apart by nobody. */
async function open(db: Db, { number, project, folder, token }: FolderParams) {
  const installerNumber = numberOf(number)
  if (installerNumber !== null && isId(project, 'proj') && isFolder(folder)) {
    const installer = await findInstallerNumbered(db, { number: installerNumber })
    const secret = installer && (await findFolderSecret(db, { ...installer, projectId: project }))
    if (secret && opensFolder(secret, folder, token)) {
      const { installerId, timezone } = installer
      return { installerNumber, installerId, timezone, projectId: project, folder }
    }
  }
  throw notFound('folder')
}
