import { type Context, reachOf } from '../../kernel/context.ts'
import { dayIn } from '../../kernel/days.ts'
import { notFound } from '../../kernel/domain-error.ts'
import { findLeadDeal } from '../changes/deal.ts'
import { erased } from '../changes/refuse-erased.ts'
import type { Lead } from '../leads/lead.ts'
import { type WhoIsTold, whoIsTold } from '../projects/enter-stage.ts'
import { firstStage } from './begin-project.ts'
import { requireSeller } from './sell-lead.ts'

/** What is to be known before a lead is sold. */
export interface SalePrepared {
  lead: Lead
  /** The latest day on which the contract can have been signed, where the seller works. */
  today: string
  /** Who is told when it is sold; null where it is sold already. */
  telling: WhoIsTold | null
}

export async function prepareSale(ctx: Context, leadKey: string): Promise<SalePrepared> {
  const deal = await findLeadDeal(ctx.db, reachOf(ctx), leadKey)
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
    telling: deal.project ? null : whoIsTold(involved, firstStage(lead, directory), directory),
  }
}
