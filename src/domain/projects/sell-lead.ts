import { change, commitChange } from '../changes/commit-change.ts'
import { findLeadDeal } from '../changes/deal.ts'
import { type Context, reachOf, requireWriter } from '../context.ts'
import { DomainError, notFound } from '../domain-error.ts'
import { beginProject, firstStage, type Sale } from './begin-project.ts'

/** The customer bought: the lead is sold and its project begins on the first stage of the ladder. */
export async function sellLead(ctx: Context, leadKey: string, sale: Sale): Promise<{ projectId: string }> {
  return change(ctx, async (attempt) => {
    const { db, directory } = attempt
    const before = await findLeadDeal(db, reachOf(ctx), leadKey)
    if (!before) throw notFound('lead')
    requireWriter(ctx.actor)
    if (before.project)
      throw new DomainError('invalid', `This lead is sold already, as project ${before.project.id}.`)
    const stage = firstStage(before.lead, directory)
    const { deal, effects } = beginProject(before.lead, sale, stage, directory, ctx.now)
    effects.events.unshift({
      type: 'lead.updated',
      subjectId: deal.lead.id,
      changes: { status: [before.lead.status, 'sold'] },
    })
    await commitChange(ctx, attempt, before, deal, effects)
    return { projectId: deal.project.id }
  })
}
