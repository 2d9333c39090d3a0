import type { Context } from '../../kernel/context.ts'
import { enterStage, type WhoIsTold, whoIsTold } from './enter-stage.ts'
import { findMove } from './move-stage.ts'

/** What a move would do, for whoever is about to make it. */
export interface MovePreview extends WhoIsTold {
  /** As the ladder has it. */
  stage: string
  /** How many panels the installation has that is made; null where none is. */
  installationPanels: number | null
}

/** Says who is told when a project enters a stage. It is worked out as the move itself would, and nothing is done. */
export async function previewMove(ctx: Context, key: string, stageName: string): Promise<MovePreview> {
  const directory = await ctx.directories.current(ctx.db, ctx.actor.installerId)
  const { before, stage } = await findMove(ctx, { db: ctx.db, directory }, key, stageName)
  const nothing = { stage: stage.name, customer: null, people: [], installationPanels: null }
  if (stage.id === before.project.stageId) return nothing
  const { effects } = enterStage(before, stage, directory, ctx.now)
  return {
    stage: stage.name,
    ...whoIsTold(before, stage, directory),
    installationPanels: effects.installation?.panels.length ?? null,
  }
}
