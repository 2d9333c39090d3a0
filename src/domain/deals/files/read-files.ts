import { type Context, scopeOf } from '../../kernel/context.ts'
import { notFound } from '../../kernel/domain-error.ts'
import { type Folder, isFolder } from '../../kernel/folder.ts'
import { mayInFolder } from '../../kernel/folder-policy.ts'
import { findProjectDeal, type SoldDeal } from '../changes/deal.ts'
import { type FileWithAuthor, findProjectFile } from './queries.ts'

/** A file of a project, for those who see the project and the folder. */
export async function readFile(ctx: Context, key: string, fileId: string): Promise<FileWithAuthor> {
  const deal = await findProjectDeal(ctx.db, scopeOf(ctx), key)
  if (!deal) throw notFound('project')
  const file = await findProjectFile(ctx.db, ctx.actor.installerId, deal.project.id, fileId)
  if (!file || !mayInFolder(ctx.actor, 'read', file.folder)) throw notFound('file')
  return file
}

/** A folder of a project, for those who see both; one that they do not see is not there. */
export async function readFolder(
  ctx: Context,
  key: string,
  folder: string,
): Promise<{ project: SoldDeal['project']; folder: Folder }> {
  const deal = await findProjectDeal(ctx.db, scopeOf(ctx), key)
  if (!deal) throw notFound('project')
  if (!isFolder(folder) || !mayInFolder(ctx.actor, 'read', folder)) throw notFound('folder')
  return { project: deal.project, folder }
}
