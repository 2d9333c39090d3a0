import { newId, newToken } from '../../../platform/ids.ts'
import { requireExpected } from '../../kernel/changed-meanwhile.ts'
import { type Actor, type Context, scopeOf } from '../../kernel/context.ts'
import { dayIn } from '../../kernel/days.ts'
import { DomainError, notFound } from '../../kernel/domain-error.ts'
import { requireDecider, requireWriter } from '../../kernel/policy.ts'
import type { Company } from '../../kernel/tenant/company.ts'
import { type Directory, ladderOf } from '../../kernel/tenant/directory.ts'
import type { Stage } from '../../kernel/tenant/stage.ts'
import type { Effects } from '../changes/change.ts'
import { commitChange, runChange } from '../changes/commit-change.ts'
import { findLeadDeal, type SoldDeal } from '../changes/deal.ts'
import { erased } from '../changes/refuse-erased.ts'
import type { Lead } from '../leads/lead.ts'
import { sellsLead } from '../leads/who-may.ts'
import {
  enterStage,
  type NotifyChoice,
  notifyEverybody,
  type StageRecipients,
  stageRecipients,
} from '../projects/enter-stage.ts'
import { mailsAt, type Undoable, undoableFrom } from '../projects/move-stage.ts'
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
export function startProject(
  lead: Lead,
  sale: Sale,
  stage: Stage,
  directory: Directory,
  now: Date,
  notify = notifyEverybody,
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
  const { project, effects } = enterStage(begun, stage, directory, now, notify)
  effects.activities.unshift({ type: 'projectCreated', body: `Sold. The project is in ${stage.name}` })
  effects.events.push({ type: 'project.created', subjectId: project.id })
  return { deal: { lead: sold, project, files: [] }, effects }
}

const firstDay = '2000-01-01'

/** What the day or time of the signature says about a sale; `field` is how the caller names it. */
export function contractSigned(
  { timezone }: Company,
  signed: string | Date,
  now: Date,
  field: string,
): Pick<Sale, 'contractSignedAt' | 'milestones'> {
  const signedOn = typeof signed === 'string' ? signed : dayIn(timezone, signed)
  if (signedOn > dayIn(timezone, now) || signedOn < firstDay)
    throw new DomainError('invalid', `${field} must be a day that has come, from the year 2000 on.`)
  const milestones = { contractSigned: signedOn }
  if (signed instanceof Date) return { contractSignedAt: signed, milestones }
  // The middle of the day: it is the same day wherever it is read.
  const noon = Temporal.PlainDate.from(signedOn).toZonedDateTime({ timeZone: timezone, plainTime: '12:00' })
  return { contractSignedAt: new Date(noon.epochMilliseconds), milestones }
}

/** Somebody was faster, or it is the same click again. */
export class SoldAlready extends DomainError {
  readonly projectId: string

  constructor(projectId: string) {
    super('invalid', `This lead is sold already, as project ${projectId}.`)
    this.projectId = projectId
  }
}

export interface SaleOptions {
  /** Who is notified; everybody whom the stage names where absent. */
  notify?: NotifyChoice
  /** Whether it can be taken back for a while: mails wait so long. */
  undoable?: boolean
}

export interface Sold {
  projectId: string
  /** Null where it cannot be undone. */
  undoable: Undoable | null
}

/** The customer bought: the lead is sold and its project begins on the first stage of the ladder. */
export async function sellLead(
  ctx: Context,
  leadKey: string,
  sale: Sale,
  { notify = notifyEverybody, undoable = false }: SaleOptions = {},
): Promise<Sold> {
  return runChange(ctx, async (attempt) => {
    const { db, directory } = attempt
    const before = await findLeadDeal(db, scopeOf(ctx), leadKey)
    if (!before) throw notFound('lead')
    requireSeller(ctx.actor, before.lead)
    requireExpected(ctx, before.lead)
    if (before.project) throw new SoldAlready(before.project.id)
    const stage = firstStage(before.lead, directory)
    const { deal, effects } = startProject(before.lead, sale, stage, directory, ctx.now, notify)
    effects.events.unshift({
      type: 'lead.updated',
      subjectId: deal.lead.id,
      changes: { status: [before.lead.status, 'sold'] },
    })
    const undo = undoable ? undoableFrom(ctx.now) : null
    if (undo) {
      effects.move = {
        ...undo,
        mailsAt: mailsAt(undo),
        fromStageId: null,
        leadStatus: before.lead.status,
        toStageId: stage.id,
        enteredAt: ctx.now,
        milestone: null,
        installationId: effects.installation?.installation.id ?? null,
      }
    }
    await commitChange(ctx, attempt, before, deal, effects)
    return { projectId: deal.project.id, undoable: undo }
  })
}

/** Sold by those who run the company, and by the lead's own rep. */
export function requireSeller(actor: Actor, lead: Lead): void {
  requireWriter(actor)
  if (!sellsLead(actor, lead))
    throw new DomainError(
      'forbidden',
      'Only owners, admins, managers and the lead’s own rep may sell it. Ask one of them.',
    )
  requireDecider(actor, 'leads.sell')
}

/** What is to be known before a lead is sold. */
interface SalePrepared {
  lead: Lead
  /** The latest day on which the contract can have been signed, where the seller works. */
  today: string
  /** Who is told when it is sold; null where it is sold already. */
  recipients: StageRecipients | null
}

export async function prepareSale(ctx: Context, leadKey: string): Promise<SalePrepared> {
  const deal = await findLeadDeal(ctx.db, scopeOf(ctx), leadKey)
  if (!deal) throw notFound('lead')
  requireSeller(ctx.actor, deal.lead)
  if (deal.lead.erasedAt) throw erased()
  const { lead } = deal
  const directory = await ctx.directories.current(ctx.db, ctx.actor.installerId)
  const people = { projectManagerId: null, siteSurveyorId: null, subcontractorId: null }
  const involved = { lead, project: { companyId: lead.companyId, ...people } }
  return {
    lead,
    today: dayIn(directory.companies.get(lead.companyId)!.timezone, ctx.now),
    recipients: deal.project ? null : stageRecipients(involved, firstStage(lead, directory), directory),
  }
}
