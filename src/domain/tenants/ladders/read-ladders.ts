import type { Context } from '../../kernel/context.ts'
import { authorize } from '../../kernel/policy.ts'
import { listStages } from './setting-queries.ts'
import type { StageSetting } from './stage-setting.ts'

/** The stages of both ladders, in order, with those that are being emptied. */
export function readLadders({ db, actor }: Context): Promise<StageSetting[]> {
  authorize(actor, 'ladders.change')
  return listStages(db, actor)
}
