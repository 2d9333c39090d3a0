import type { Context } from '../context.ts'
import { requireLadderEditor } from './require-editor.ts'
import { listStages } from './setting-queries.ts'
import type { StageSetting } from './stage-setting.ts'

/** The stages of both ladders, in order, with those that are being emptied. */
export function readLadders({ db, actor }: Context): Promise<StageSetting[]> {
  requireLadderEditor(actor)
  return listStages(db, actor.installerId)
}
