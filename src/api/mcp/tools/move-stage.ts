import { findProjectDeal } from '../../../domain/deals/changes/deal.ts'
import {
  type MovePreview,
  moveStage as move,
  previewMove,
} from '../../../domain/deals/projects/move-stage.ts'
import { type Context, scopeOf } from '../../../domain/kernel/context.ts'
import { notFound } from '../../../domain/kernel/domain-error.ts'
import { writingTool } from '../tool.ts'
import { Deciding, id, said, Written } from '../words.ts'

export const moveStage = writingTool({
  name: 'move_stage',
  title: 'Move a project to another stage',
  description:
    'Moves a project to a stage of its ladder, with all that follows: its milestone, checklist, alerts to people and messages to the customer, which cannot be taken back. Look with dry_run first. Only the installer’s key.',
  of: 'company',
  needs: 'projects.move',
  destructive: true,
  idempotent: true,
  open: false,
  kept: 'together',
  input: Deciding({
    project_id: id('The project’s id or reference'),
    stage: said(200, 'The stage’s name, as get_project shows the ladder'),
  }),
  output: Written,
  proposal: async (_call, { project_id, stage }) => ({ kind: 'move', project: project_id, stage }),
  async write({ ctx }, { project_id, stage }) {
    const from = await stageOf(ctx, project_id)
    const preview = await previewMove(ctx, project_id, stage)
    const { changed, stage: to, project } = await move(ctx, project_id, stage)
    return {
      changed,
      summary: changed ? `The project moves from ${from} to ${to}.` : `The project stands in ${to} already.`,
      effects: changed ? await effectsOf(ctx, project.stageId, preview) : [],
      record: { project_id: project.id, lead_id: project.leadId, stage: to },
    }
  },
})

async function stageOf(ctx: Context, key: string): Promise<string> {
  const [deal, directory] = await Promise.all([
    findProjectDeal(ctx.db, scopeOf(ctx), key),
    ctx.directories.current(ctx.db, ctx.actor.installerId),
  ])
  if (!deal) throw notFound('project')
  return directory.stages.get(deal.project.stageId)?.name ?? 'its stage'
}

/** What follows from entering a stage, without the customer's name and mail. */
async function effectsOf(
  { db, directories, actor }: Context,
  stageId: string,
  { people, customer, installationPanels }: MovePreview,
): Promise<string[]> {
  const stage = (await directories.current(db, actor.installerId)).stages.get(stageId)!
  const effects: string[] = []
  if (stage.milestone)
    effects.push(`The milestone ${stage.milestone} is set to today, unless it was set before`)
  if (stage.checklist.length > 0) effects.push(`${count(stage.checklist.length, 'item')} on its checklist`)
  if (people.length > 0) effects.push(`Alerted: ${people.join(', ')}`)
  if (customer) effects.push(`${count(customer.subjects.length, 'message')} to the customer by mail`)
  if (installationPanels !== null)
    effects.push(`An installation with ${count(installationPanels, 'panel')} is made`)
  return effects
}

const count = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`
