import { change, commitChange } from '../changes/commit-change.ts'
import { findProjectDeal } from '../changes/deal.ts'
import { type Context, reachOf, requireWriter } from '../context.ts'
import { notFound } from '../domain-error.ts'
import type { Project } from '../projects/project.ts'

/** Writes a note on a project, into its lead's feed. No record reads otherwise after it, so none is changed. */
export async function writeNote(ctx: Context, projectKey: string, body: string): Promise<Project> {
  return change(ctx, async (attempt) => {
    const deal = await findProjectDeal(attempt.db, reachOf(ctx), projectKey)
    if (!deal) throw notFound('project')
    requireWriter(ctx.actor)
    await commitChange(ctx, attempt, deal, deal, { activities: [{ type: 'note', body }], events: [] })
    return deal.project
  })
}
