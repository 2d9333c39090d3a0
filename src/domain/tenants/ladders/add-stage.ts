import { newId } from '../../../platform/ids.ts'
import { recordSetting } from '../../journal/audit/record-setting.ts'
import type { Context } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import { bumpDirectory } from '../../kernel/tenant/clock-queries.ts'
import type { ProductLine } from '../../kernel/tenant/stage.ts'
import { insertStage } from './queries.ts'
import { listStages, placeStages } from './setting-queries.ts'
import { checkStage, inUse, maxStages, type StageFields } from './stage-setting.ts'

export interface NewStage extends Partial<StageFields> {
  productLine: ProductLine
  name: string
  /** The stage that it comes after; null: it is the first. */
  after: string | null
}

/** Puts a stage into a ladder; answers its id. */
export async function addStage({ db, actor, now }: Context, { after, ...given }: NewStage): Promise<string> {
  authorize(actor, 'ladders.change')
  const { installerId } = actor
  return db.transaction(async (tx) => {
    await bumpDirectory(tx, installerId)
    const all = await listStages(tx, { installerId })
    const ladder = inUse(all, given.productLine)
    const at = after === null ? 0 : ladder.findIndex(({ id }) => id === after) + 1
    if (after !== null && at === 0)
      throw new DomainError('invalid', 'after: the ladder has no such stage any more. Choose another place.')
    if (ladder.length >= maxStages)
      throw new DomainError('invalid', `A ladder has at most ${maxStages} stages. Retire one first.`)
    const stage = {
      milestone: null,
      daysAllowed: null,
      checklist: [],
      alerts: [],
      messages: [],
      ...given,
      id: newId('stg'),
      position: at,
      retired: false,
    }
    checkStage(stage, all)
    await insertStage(tx, installerId, stage)
    const ids = ladder.map(({ id }) => id)
    await placeStages(tx, { installerId, ids: ids.toSpliced(at, 0, stage.id) })
    await recordSetting(tx, actor, now, {
      type: 'stage.created',
      companyId: installerId,
      subjectId: stage.id,
      name: stage.name,
    })
    return stage.id
  })
}
