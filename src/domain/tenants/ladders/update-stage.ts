import { isDeepStrictEqual } from 'node:util'
import { rerender } from '../../deals/renderings/rerender.ts'
import { recordSetting } from '../../journal/audit/record-setting.ts'
import { ChangedMeanwhile } from '../../kernel/changed-meanwhile.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import { bumpDirectory } from '../../kernel/tenant/clock-queries.ts'
import { updateStageRow } from './queries.ts'
import { listStages } from './setting-queries.ts'
import { checkStage, type StageFields, stageFields } from './stage-setting.ts'

/** Changes a stage of which the version is known; a new name shows in every project that stands in it. */
export async function updateStage(
  { db, actor, now }: Context,
  id: string,
  version: number,
  patch: Partial<StageFields>,
): Promise<void> {
  authorize(actor, 'ladders.change')
  const { installerId } = actor
  await db.transaction(async (tx) => {
    await bumpDirectory(tx, installerId)
    const all = await listStages(tx, { installerId })
    const stage = all.find((one) => one.id === id && !one.retired)
    if (!stage) throw notFound('stage')
    const changed = { ...stage, ...patch }
    const fields = stageFields.filter((field) => !isDeepStrictEqual(stage[field], changed[field]))
    if (fields.length === 0) return
    if (stage.version !== version) throw new ChangedMeanwhile({ version: stage.version })
    checkStage(changed, all)
    await updateStageRow(tx, installerId, changed)
    if (changed.name !== stage.name) await rerender(tx, now, installerId, 'stage', id)
    await recordSetting(tx, actor, now, {
      type: 'stage.changed',
      companyId: installerId,
      subjectId: id,
      name: changed.name,
      changes: Object.fromEntries(fields.map((field) => [field, [stage[field], changed[field]]])),
    })
  })
}
