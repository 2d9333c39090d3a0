import { cleanFileName } from '../../../platform/file-name.ts'
import { type Context, scopeOf } from '../../kernel/context.ts'
import { notFound } from '../../kernel/domain-error.ts'
import type { Folder } from '../../kernel/folder.ts'
import { foldersWith } from '../../kernel/folder-policy.ts'
import { installerOf } from '../../kernel/tenant/directory.ts'
import { findProjectDeal } from '../changes/deal.ts'
import { filePath } from './file.ts'
import { type FilePosition, listFileRows } from './queries.ts'

/** As the company-key API answers it; the address is without the public one before it. */
export interface FileDetails {
  id: string
  name: string
  folder: Folder
  size: number
  type: string
  sha256: string
  addedAt: Date
  addedBy: string | null
  path: string
}

export interface FileList {
  projectId: string
  files: FileDetails[]
  next: FilePosition | null
}

/** The files of a project from the newest, of one folder or of all that the reader sees. */
export async function listFiles(
  ctx: Context,
  key: string,
  folder: Folder | null,
  pageAfter: (projectId: string) => FilePosition | null,
  limit: number,
): Promise<FileList> {
  const deal = await findProjectDeal(ctx.db, scopeOf(ctx), key)
  if (!deal) throw notFound('project')
  const { installerId, id: projectId } = deal.project
  const readable = foldersWith(ctx.actor, 'read').filter((one) => folder === null || one === folder)
  const before = pageAfter(projectId)
  const [rows, directory] = await Promise.all([
    listFileRows(ctx.db, {
      installerId,
      projectId,
      folders: readable,
      beforeAt: before?.at,
      beforeOrdinal: before?.ordinal,
      // One more than the page has, to know whether there is another.
      limit: limit + 1,
    }),
    ctx.directories.current(ctx.db, installerId),
  ])
  const { number } = installerOf(directory)
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    projectId,
    files: shown.map(({ token, ordinal, ...file }) => ({
      ...file,
      name: cleanFileName(file.name),
      path: filePath(number, { token, name: file.name }),
    })),
    next: rows.length > limit && last ? { at: last.addedAt, ordinal: last.ordinal } : null,
  }
}
