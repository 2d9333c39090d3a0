import { newToken } from '../../../platform/ids.ts'
import { type Context, scopeOf } from '../../kernel/context.ts'
import { notFound } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import { commitChange, runChange } from '../changes/commit-change.ts'
import { findProjectDeal } from '../changes/deal.ts'

/**
 * Renews the addresses that the APIs give of a project: of its files, its folders and its proposal. The old ones
 * answer no more from this moment on, and whoever syncs gets the new ones with the change. What was shared from the
 * console is ended by itself.
 */
export async function renewLinks(ctx: Context, key: string): Promise<{ files: number }> {
  return runChange(ctx, async (attempt) => {
    const before = await findProjectDeal(attempt.db, scopeOf(ctx), key)
    if (!before) throw notFound('project')
    authorize(ctx.actor, 'links.renew')
    const files = before.files.map((file) => ({ ...file, token: newToken() }))
    const project = {
      ...before.project,
      folderSecret: newToken(),
      proposalToken: before.project.proposalToken && newToken(),
      linksRenewedAt: ctx.now,
    }
    await commitChange(
      ctx,
      attempt,
      before,
      { ...before, project, files },
      {
        fileTokens: files.map(({ id, token }) => ({ id, token })),
        activities: [
          {
            type: 'leadUpdated',
            body: 'Renewed the addresses of the files, the folders and the proposal: the old ones open nothing',
          },
        ],
        events: [
          {
            type: 'project.updated',
            subjectId: project.id,
            changes: { addresses: [before.project.linksRenewedAt, ctx.now] },
          },
        ],
      },
    )
    return { files: files.length }
  })
}
