import { findMove, moveStage, previewMove } from '../deals/projects/move-stage.ts'
import { DomainError } from '../kernel/domain-error.ts'
import type { Proposable, RequestOf } from './agent-proposal.ts'
import { customerOf, told } from './in-words.ts'

/** A project's move to another stage. */
export const move: Proposable<RequestOf<'move'>> = {
  action: 'projects.move',

  async foresee(ctx, { project: key, stage: wanted }) {
    const directory = await ctx.directories.current(ctx.db, ctx.actor.installerId)
    const { before, stage } = await findMove(ctx, { db: ctx.db, directory }, key, wanted)
    const { lead, project } = before
    const customer = customerOf(lead)
    if (stage.id === project.stageId)
      throw new DomainError('invalid', `${customer}’s project is in ${stage.name} already.`)
    const from = directory.stages.get(project.stageId)?.name ?? 'no stage'
    const preview = await previewMove(ctx, key, wanted)
    const follows = told(preview)
    if (stage.milestone && !(stage.milestone in project.milestones))
      follows.push('The day is noted as a milestone.')
    if (stage.checklist.length > 0)
      follows.push(`The checklist of ${stage.name} is put on the project: ${stage.checklist.join(', ')}.`)
    if (preview.installationPanels !== null)
      follows.push(`An installation with ${preview.installationPanels} panels is made.`)
    return {
      about: {
        leadId: lead.id,
        projectId: project.id,
        installationId: project.installationId,
        invoiceId: null,
      },
      basis: project.stageId,
      meaning: [project.id, stage.id],
      summary: `Move ${customer}’s project from ${from} to ${stage.name}`,
      follows,
    }
  },

  async carryOut(ctx, { project: key, stage }) {
    const { project, undoable } = await moveStage(ctx, key, stage, { undoable: true })
    return { resultId: project.id, undoable }
  },
}
