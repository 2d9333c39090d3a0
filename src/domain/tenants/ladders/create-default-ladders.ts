import type { Db } from '../../../platform/db.ts'
import { newId } from '../../../platform/ids.ts'
import { productLines } from '../../kernel/tenant/stage.ts'
import { defaultLadders } from './default-ladders.ts'
import { insertStage } from './queries.ts'

export async function createDefaultLadders(db: Db, installerId: string): Promise<void> {
  for (const productLine of productLines) {
    for (const [position, stage] of defaultLadders[productLine].entries()) {
      await insertStage(db, installerId, {
        id: newId('stg'),
        productLine,
        position,
        name: stage.name,
        milestone: stage.milestone ?? null,
        daysAllowed: stage.daysAllowed ?? null,
        checklist: stage.checklist ?? [],
        alerts: stage.alerts ?? [],
        messages: [],
        retired: false,
      })
    }
  }
}
