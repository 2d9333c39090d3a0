import type { Context } from '../context.ts'
import { enterStage } from './enter-stage.ts'
import { findMove } from './move-stage.ts'

/** What a move would do, for whoever is about to make it. */
export interface MovePreview {
  /** As the ladder has it. */
  stage: string
  /** Who of the customer's side is written to, and under which subjects; null where nobody is. */
  customer: { name: string; email: string; subjects: string[] } | null
  /** Who of the team is alerted. */
  people: string[]
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
  const { firstName, lastName, email } = before.lead.customer
  const alerted = new Set(effects.notifications?.map(({ memberId }) => memberId))
  const subjects = (effects.mails ?? []).slice(alerted.size).map(({ subject }) => subject)
  return {
    stage: stage.name,
    customer:
      subjects.length > 0
        ? { name: [firstName, lastName].filter(Boolean).join(' '), email: email!, subjects }
        : null,
    people: [...alerted].map((id) => directory.members.get(id)!.name),
    installationPanels: effects.installation?.panels.length ?? null,
  }
}
