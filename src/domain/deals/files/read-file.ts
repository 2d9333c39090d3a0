import { type Context, reachOf } from '../../kernel/context.ts'
import { notFound } from '../../kernel/domain-error.ts'
import { mayInFolder } from '../../kernel/policy.ts'
import { findProjectDeal } from '../changes/deal.ts'
import { findProjectFile, type KeptFile } from './queries.ts'

/** A file of a project, for those who see the project and the folder. */
export async function readFile(ctx: Context, key: string, fileId: string): Promise<KeptFile> {
  const deal = await findProjectDeal(ctx.db, reachOf(ctx), key)
  if (!deal) throw notFound('project')
  const file = await findProjectFile(ctx.db, ctx.actor.installerId, deal.project.id, fileId)
  if (!file || !mayInFolder(ctx.actor, 'read', file.folder)) throw notFound('file')
  return file
}
