import type { Context } from '../../kernel/context.ts'
import { ladderOf } from '../../kernel/tenant/directory.ts'
import { type MilestoneKey, type ProductLine, productLines } from '../../kernel/tenant/stage.ts'

export interface LadderStage {
  id: string
  name: string
  productLine: ProductLine
  /** From 1. */
  position: number
  milestone: MilestoneKey | null
  allowedDays: number | null
}

/** The stages of both ladders, as everybody who sees projects may know them. */
export async function readLadderStages({ db, directories, actor }: Context): Promise<LadderStage[]> {
  const directory = await directories.current(db, actor.installerId)
  return productLines.flatMap((line) =>
    ladderOf(directory, line).map(({ id, name, productLine, milestone, daysAllowed }, i) => ({
      id,
      name,
      productLine,
      position: i + 1,
      milestone,
      allowedDays: daysAllowed,
    })),
  )
}
