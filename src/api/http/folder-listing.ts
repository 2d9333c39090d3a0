import type { FastifyReply, FastifyRequest } from 'fastify'
import { countFolderFiles, listFolderFiles } from '../../domain/deals/files/queries.ts'
import type { Actor } from '../../domain/kernel/context.ts'
import type { Folder } from '../../domain/kernel/folder.ts'
import type { Db } from '../../platform/db.ts'
import { isId } from '../../platform/ids.ts'
import { type FolderPage, sendFolderPage } from './folder-page.ts'
import { noteRequested } from './opening.ts'

export interface ListedFolder extends Pick<FolderPage, 'timezone' | 'paths'> {
  installerId: string
  projectId: string
  folder: Folder
}

const pageSize = 200

/** Answers the page that lists a folder, from where the request asks on. Who may see it is the caller's to say. */
export async function sendFolderListing(
  request: FastifyRequest,
  reply: FastifyReply,
  db: Db,
  { installerId, projectId, folder, timezone, paths }: ListedFolder,
  by: Actor | null,
): Promise<FastifyReply> {
  await noteRequested(db, request, by, { installerId, projectId, folder, fileId: null })
  const { after } = request.query as { after?: unknown }
  const afterId = typeof after === 'string' && isId(after, 'file') ? after : ''
  const [files, { total, before }] = await Promise.all([
    listFolderFiles(db, { installerId, projectId, folder, afterId, limit: pageSize + 1 }),
    countFolderFiles(db, { installerId, projectId, folder, afterId }),
  ])
  return sendFolderPage(reply, {
    paths,
    timezone,
    folder,
    files: files.slice(0, pageSize),
    more: files.length > pageSize,
    total,
    before,
  })
}
