import { type Context, scopeOf } from '../../kernel/context.ts'
import { notFound } from '../../kernel/domain-error.ts'
import { findProjectDeal } from '../changes/deal.ts'
import { listChecklist } from './checklist-queries.ts'

/** As the company-key API answers it. */
export interface ChecklistEntry {
  stageId: string
  stage: string
  label: string
  done: boolean
  doneAt: Date | null
  /** Null where it was a program that ticked it. */
  doneBy: string | null
}

/** A project's checklist in the order of the ladder, what was retired last. */
export async function readChecklist(ctx: Context, key: string): Promise<ChecklistEntry[]> {
  const deal = await findProjectDeal(ctx.db, scopeOf(ctx), key)
  if (!deal) throw notFound('project')
  const { installerId, id: projectId } = deal.project
  const [items, directory] = await Promise.all([
    listChecklist(ctx.db, { installerId, projectId }),
    ctx.directories.current(ctx.db, installerId),
  ])
  const { stages, members } = directory
  const placeOf = (stageId: string) => {
    const { retired, position } = stages.get(stageId)!
    return (retired ? 1e6 : 0) + position
  }
  return items
    .toSorted((a, b) => placeOf(a.stageId) - placeOf(b.stageId))
    .map(({ stageId, label, doneAt, doneBy }) => ({
      stageId,
      stage: stages.get(stageId)!.name,
      label,
      done: doneAt !== null,
      doneAt,
      doneBy: (doneBy && members.get(doneBy)?.name) ?? null,
    }))
}
