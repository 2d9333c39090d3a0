import { requireUnchanged, type Seen } from '../../kernel/changed-meanwhile.ts'
import { type Context, scopeOf } from '../../kernel/context.ts'
import { notFound } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import { assignmentNotices, projectAssignments } from '../assignments/assignment.ts'
import { commitChange, runChange } from '../changes/commit-change.ts'
import { findProjectDeal } from '../changes/deal.ts'
import { type ProjectPatch, patchProject } from './patch-project.ts'

/**
 * Changes a project's days, on milestones and calendar, its notice to proceed, people, contract and notes, while they
 * are what was seen.
 */
export async function updateProject(
  ctx: Context,
  key: string,
  patch: ProjectPatch,
  seen?: Seen,
): Promise<{ changed: boolean }> {
  return runChange(ctx, async (attempt) => {
    const { db, directory } = attempt
    const before = await findProjectDeal(db, scopeOf(ctx), key)
    if (!before) throw notFound('project')
    authorize(ctx.actor, 'projects.change')
    const { project, changes, effects } = patchProject(before.project, patch, directory)
    if (Object.keys(changes).length === 0) return { changed: false }
    requireUnchanged(changes, seen)
    const events = [{ type: 'project.updated' as const, subjectId: project.id, changes }]
    const assigned = projectAssignments(ctx.actor, directory, before.project, project)
    const notifications = assignmentNotices(assigned, before.lead.customer)
    await commitChange(ctx, attempt, before, { ...before, project }, { ...effects, events, notifications })
    return { changed: true }
  })
}
