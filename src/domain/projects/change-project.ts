import type { Effects } from '../changes/change.ts'
import { change, commitChange } from '../changes/commit-change.ts'
import { findProjectDeal } from '../changes/deal.ts'
import { type Context, reachOf, requireInstaller, requireWriter } from '../context.ts'
import { notFound } from '../domain-error.ts'

export interface ProjectPatch {
  /** The day of the Install Scheduled milestone; null clears it. */
  installDate?: string | null
  ntpGranted?: boolean
}

/** Sets a project's install date, on milestone and calendar, and its notice to proceed. */
export async function changeProject(
  ctx: Context,
  key: string,
  patch: ProjectPatch,
): Promise<{ changed: boolean }> {
  return change(ctx, async (attempt) => {
    const { db } = attempt
    const before = await findProjectDeal(db, reachOf(ctx), key)
    if (!before) throw notFound('project')
    requireWriter(ctx.actor)
    requireInstaller(ctx.actor, 'change a project')
    const project = { ...before.project, milestones: { ...before.project.milestones } }
    const changes: Record<string, [unknown, unknown]> = {}
    const effects: Effects = { activities: [], events: [] }

    const day = before.project.milestones.installScheduled ?? null
    if (patch.installDate !== undefined && patch.installDate !== day) {
      if (patch.installDate === null) delete project.milestones.installScheduled
      else project.milestones.installScheduled = patch.installDate
      changes.installDate = [day, patch.installDate]
      effects.calendar = { kind: 'install', day: patch.installDate }
      effects.activities.push({
        type: 'installScheduled',
        body:
          patch.installDate === null ? 'Install date cleared' : `Install scheduled for ${patch.installDate}`,
      })
    }
    if (patch.ntpGranted !== undefined && patch.ntpGranted !== project.ntpGranted) {
      project.ntpGranted = patch.ntpGranted
      changes.ntpGranted = [!patch.ntpGranted, patch.ntpGranted]
      effects.activities.push({
        type: 'ntpChanged',
        body: patch.ntpGranted ? 'Notice to proceed granted' : 'Notice to proceed withdrawn',
      })
    }
    if (Object.keys(changes).length === 0) return { changed: false }
    effects.events.push({ type: 'project.updated', subjectId: project.id, changes })
    await commitChange(ctx, attempt, before, { ...before, project }, effects)
    return { changed: true }
  })
}
