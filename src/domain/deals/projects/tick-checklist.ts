import { type Context, scopeOf } from '../../kernel/context.ts'
import { DomainError, notFound } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import { commitChange, runChange } from '../changes/commit-change.ts'
import { findProjectDeal } from '../changes/deal.ts'
import { findChecklistItem } from './checklist-queries.ts'

export interface Tick {
  stageId: string
  label: string
  done: boolean
}

/** Ticks an item of a project's checklist off, or takes the tick back. Whoever sees the project may. */
export async function tickChecklist(ctx: Context, key: string, tick: Tick): Promise<{ changed: boolean }> {
  return runChange(ctx, async (attempt) => {
    const { db } = attempt
    const deal = await findProjectDeal(db, scopeOf(ctx), key)
    if (!deal) throw notFound('project')
    authorize(ctx.actor, 'checklists.tick')
    const { stageId, label, done } = tick
    const item = await findChecklistItem(db, {
      installerId: ctx.actor.installerId,
      projectId: deal.project.id,
      stageId,
      label,
    })
    if (!item)
      throw new DomainError(
        'invalid',
        `label: "${label}" is not on the checklist of this stage of the project.`,
      )
    if ((item.doneAt !== null) === done) return { changed: false }
    await commitChange(ctx, attempt, deal, deal, {
      tick,
      activities: [{ type: 'checklistDone', body: done ? `Done: ${label}` : `Not done after all: ${label}` }],
      events: [
        {
          type: 'project.checklist_changed',
          subjectId: deal.project.id,
          changes: { [label]: [!done, done] },
        },
      ],
    })
    return { changed: true }
  })
}
