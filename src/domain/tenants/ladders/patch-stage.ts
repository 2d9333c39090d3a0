import type { Database } from '../../../platform/db.ts'
import { rerender } from '../../deals/renderings/rerender.ts'
import { DomainError, notFound } from '../../kernel/domain-error.ts'
import { lowered } from '../../kernel/search-form.ts'
import { bumpDirectory } from '../../kernel/tenant/clock-queries.ts'
import { loadDirectory } from '../../kernel/tenant/queries.ts'
import type { Stage } from '../../kernel/tenant/stage.ts'
import { updateStageRow } from './queries.ts'

export type StagePatch = Partial<
  Pick<Stage, 'name' | 'milestone' | 'daysAllowed' | 'checklist' | 'alerts' | 'messages'>
>

/** Changes a stage and what follows it; a new name shows in every project that stands in it, as a change. */
export async function patchStage(
  db: Database,
  now: Date,
  installerId: string,
  stageId: string,
  patch: StagePatch,
): Promise<void> {
  await db.transaction(async (tx) => {
    await bumpDirectory(tx, installerId)
    const { stages } = await loadDirectory(tx, installerId)
    const stage = stages.get(stageId)
    if (!stage) throw notFound('stage')
    const changed = { ...stage, ...patch }
    const taken = [...stages.values()].some(
      (other) =>
        other.id !== stage.id &&
        !other.retired &&
        other.productLine === stage.productLine &&
        lowered(other.name) === lowered(changed.name),
    )
    if (taken) throw new DomainError('invalid', `name: the ladder has a stage ${changed.name} already.`)
    await updateStageRow(tx, installerId, changed)
    if (changed.name !== stage.name) {
      await rerender(tx, now, installerId, 'stage', stageId)
    }
  })
}
