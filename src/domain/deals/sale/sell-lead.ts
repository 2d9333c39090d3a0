import { type Actor, type Context, reachOf } from '../../kernel/context.ts'
import { DomainError, notFound } from '../../kernel/domain-error.ts'
import { requireWriter } from '../../kernel/policy.ts'
import { change, commitChange } from '../changes/commit-change.ts'
import { findLeadDeal } from '../changes/deal.ts'
import type { Lead } from '../leads/lead.ts'
import { sellsLead } from '../leads/who-may.ts'
import { everybody, type Telling } from '../projects/enter-stage.ts'
import { mailsAt, type Undoable, undoableFrom } from '../projects/undoable.ts'
import { beginProject, firstStage, type Sale } from './begin-project.ts'

/** Somebody was faster, or it is the same click again. */
export class SoldAlready extends DomainError {
  readonly projectId: string

  constructor(projectId: string) {
    super('invalid', `This lead is sold already, as project ${projectId}.`)
    this.projectId = projectId
  }
}

export interface SaleOptions {
  /** Who is told; everybody whom the stage names where absent. */
  telling?: Telling
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
  { telling = everybody, undoable = false }: SaleOptions = {},
): Promise<Sold> {
  return change(ctx, async (attempt) => {
    const { db, directory } = attempt
    const before = await findLeadDeal(db, reachOf(ctx), leadKey)
    if (!before) throw notFound('lead')
    requireSeller(ctx.actor, before.lead)
    if (before.project) throw new SoldAlready(before.project.id)
    const stage = firstStage(before.lead, directory)
    const { deal, effects } = beginProject(before.lead, sale, stage, directory, ctx.now, telling)
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
  if (sellsLead(actor, lead)) return
  throw new DomainError(
    'forbidden',
    'Only owners, admins, managers and the lead’s own rep may sell it. Ask one of them.',
  )
}
