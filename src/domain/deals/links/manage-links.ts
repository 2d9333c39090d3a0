import { recordSetting } from '../../journal/audit/record-setting.ts'
import { type Context, confinedTo, scopeOf } from '../../kernel/context.ts'
import { notFound } from '../../kernel/domain-error.ts'
import { authorize, may } from '../../kernel/policy.ts'
import { findProjectDeal, type SoldDeal } from '../changes/deal.ts'
import type { SharedLink } from './link.ts'
import { endLinkRow, findLink, listLinks, type MadeBy } from './queries.ts'

/** Who runs the company looks after what its people shared, everybody else after what they shared themselves. */
function managedBy({ actor }: Context): MadeBy {
  return { companyId: confinedTo(actor), memberId: may(actor, 'links.endOthers') ? null : actor.id }
}

/** What was shared of a project, the newest first. */
export async function readLinks(
  ctx: Context,
  key: string,
  beforeId: string | null,
  limit: number,
): Promise<SharedLink[]> {
  const { project } = await requireProject(ctx, key)
  return listLinks(ctx.db, {
    installerId: project.installerId,
    projectId: project.id,
    ...managedBy(ctx),
    beforeId,
    limit,
  })
}

/** Ends an address: it answers no more from now on. */
export async function endLink(ctx: Context, key: string, id: string): Promise<void> {
  const { db, actor, now } = ctx
  const { project } = await requireProject(ctx, key)
  authorize(actor, 'links.share')
  const { installerId, companyId } = project
  const link = await findLink(db, { installerId, projectId: project.id, ...managedBy(ctx), id })
  if (!link) throw notFound('shared address')
  await db.transaction(async (tx) => {
    if (!(await endLinkRow(tx, { installerId, id, now, by: actor.id }))) return
    const name = link.kind === 'proposal' ? 'the proposal' : (link.fileName ?? link.folder ?? '')
    const changes = {
      project: [project.id, project.id] as [unknown, unknown],
      ...(link.folder ? { folder: [link.folder, link.folder] as [unknown, unknown] } : {}),
    }
    await recordSetting(tx, actor, now, { type: 'link.ended', companyId, subjectId: id, name, changes })
  })
}

async function requireProject(ctx: Context, key: string): Promise<SoldDeal> {
  const deal = await findProjectDeal(ctx.db, scopeOf(ctx), key)
  if (!deal) throw notFound('project')
  return deal
}
