import { newId, newToken } from '../../platform/ids.ts'
import { change, commitChange } from '../changes/commit-change.ts'
import { findLeadDeal } from '../changes/deal.ts'
import { ladderOf } from '../companies/directory.ts'
import { type Context, confinedTo, requireWriter } from '../context.ts'
import { DomainError, notFound } from '../domain-error.ts'
import { enterStage } from './enter-stage.ts'
import type { Project } from './project.ts'

export type Sale = Pick<Project, 'contractSignedAt' | 'contractPrice' | 'financing' | 'system' | 'products'> &
  Partial<Pick<Project, 'notes' | 'projectManagerId' | 'siteSurveyorId' | 'subcontractorId' | 'reference'>>

/** The customer bought: the lead is sold and its project begins on the first stage of the ladder. */
export async function sellLead(ctx: Context, leadKey: string, sale: Sale): Promise<{ projectId: string }> {
  const { actor, now } = ctx
  return change(ctx, async (attempt) => {
    const { db, directory } = attempt
    const before = await findLeadDeal(db, actor.installerId, confinedTo(actor), leadKey)
    if (!before) throw notFound('lead')
    requireWriter(actor)
    if (before.project)
      throw new DomainError('invalid', `This lead is sold already, as project ${before.project.id}.`)
    const { productLine } = before.lead
    if (productLine === 'solar' && !sale.system)
      throw new DomainError('invalid', 'system: a solar sale needs it.')
    const [first] = ladderOf(directory, productLine)
    if (!first) throw new DomainError('invalid', `The ${productLine} ladder has no stages. Add one first.`)
    const started: Project = {
      installerId: actor.installerId,
      id: newId('proj'),
      leadId: before.lead.id,
      companyId: before.lead.companyId,
      reference: sale.reference ?? null,
      productLine,
      stageId: first.id,
      stageEnteredAt: now,
      soldAt: now,
      updatedAt: now,
      ntpGranted: false,
      notes: sale.notes ?? null,
      projectManagerId: sale.projectManagerId ?? null,
      siteSurveyorId: sale.siteSurveyorId ?? null,
      subcontractorId: sale.subcontractorId ?? null,
      contractSignedAt: sale.contractSignedAt,
      contractPrice: sale.contractPrice,
      financing: sale.financing,
      system: productLine === 'solar' ? sale.system : null,
      products: productLine === 'hi' ? (sale.products ?? []) : null,
      milestones: {},
      proposalToken: newToken(),
    }
    const lead = { ...before.lead, status: 'sold' as const, projectId: started.id }
    const { project, effects } = enterStage({ ...before, lead, project: started }, first, directory, now)
    effects.activities.unshift({ type: 'projectCreated', body: `Sold. The project is in ${first.name}` })
    effects.events.push(
      { type: 'lead.updated', subjectId: lead.id, changes: { status: [before.lead.status, 'sold'] } },
      { type: 'project.created', subjectId: project.id },
    )
    await commitChange(ctx, attempt, before, { ...before, lead, project }, effects)
    return { projectId: project.id }
  })
}
