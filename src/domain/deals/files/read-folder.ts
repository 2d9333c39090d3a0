import { type Context, reachOf } from '../../kernel/context.ts'
import { notFound } from '../../kernel/domain-error.ts'
import { type Folder, isFolder } from '../../kernel/folder.ts'
import { mayInFolder } from '../../kernel/policy.ts'
import { findProjectDeal, type SoldDeal } from '../changes/deal.ts'

/** A folder of a project, for those who see both; one that they do not see is not there. */
export async function readFolder(
  ctx: Context,
  key: string,
  folder: string,
): Promise<{ project: SoldDeal['project']; folder: Folder }> {
  const deal = await findProjectDeal(ctx.db, reachOf(ctx), key)
  if (!deal) throw notFound('project')
  if (!isFolder(folder) || !mayInFolder(ctx.actor, 'read', folder)) throw notFound('folder')
  return { project: deal.project, folder }
}
