import type { Db } from '../../../platform/db.ts'
import { newId } from '../../../platform/ids.ts'
import { productLines, type Stage } from '../../kernel/tenant/stage.ts'
import { defaultLadders } from './default-ladders.ts'
import { insertStage } from './queries.ts'

/** The stages that a new installer begins with, each with an id of its own. */
export function newDefaultStages(): Stage[] {
  return productLines.flatMap((productLine) =>
    defaultLadders[productLine].map((stage, position) => ({
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
    })),
  )
}

export async function createDefaultLadders(db: Db, installerId: string): Promise<void> {
  for (const stage of newDefaultStages()) await insertStage(db, installerId, stage)
}
