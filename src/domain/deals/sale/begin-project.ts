import { newId, newToken } from '../../../platform/ids.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { type Directory, ladderOf } from '../../kernel/tenant/directory.ts'
import type { Stage } from '../../kernel/tenant/stage.ts'
import type { Effects } from '../changes/change.ts'
import type { SoldDeal } from '../changes/deal.ts'
import type { Lead } from '../leads/lead.ts'
import { enterStage, everybody } from '../projects/enter-stage.ts'
import type { Project } from '../projects/project.ts'

export type Sale = Pick<Project, 'contractSignedAt' | 'contractPrice' | 'financing' | 'system' | 'products'> &
  Partial<
    Pick<
      Project,
      'notes' | 'projectManagerId' | 'siteSurveyorId' | 'subcontractorId' | 'reference' | 'milestones'
    >
  >

/** The stage that a project of this lead begins in, where the sale names none. */
export function firstStage({ productLine }: Lead, directory: Directory): Stage {
  const [first] = ladderOf(directory, productLine)
  if (!first) throw new DomainError('invalid', `The ${productLine} ladder has no stages. Add one first.`)
  return first
}

/** The lead is sold: its project, entered into its first stage with everything that follows from that. */
export function beginProject(
  lead: Lead,
  sale: Sale,
  stage: Stage,
  directory: Directory,
  now: Date,
  telling = everybody,
): { deal: SoldDeal; effects: Effects } {
  const { productLine } = lead
  if (productLine === 'solar' && !sale.system)
    throw new DomainError('invalid', 'system: a solar sale needs it.')
  const started: Project = {
    installerId: lead.installerId,
    id: newId('proj'),
    leadId: lead.id,
    companyId: lead.companyId,
    reference: sale.reference ?? null,
    productLine,
    stageId: stage.id,
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
    milestones: sale.milestones ?? {},
    proposalToken: newToken(),
    installationId: null,
    folderSecret: newToken(),
    linksRenewedAt: null,
  }
  const sold: Lead = { ...lead, status: 'sold', projectId: started.id }
  const begun = { lead: sold, project: started, files: [] }
  const { project, effects } = enterStage(begun, stage, directory, now, telling)
  effects.activities.unshift({ type: 'projectCreated', body: `Sold. The project is in ${stage.name}` })
  effects.events.push({ type: 'project.created', subjectId: project.id })
  return { deal: { lead: sold, project, files: [] }, effects }
}
