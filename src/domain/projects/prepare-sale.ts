import { findLeadDeal } from '../changes/deal.ts'
import { erased } from '../changes/refuse-erased.ts'
import { dayIn } from '../companies/company.ts'
import { type Context, reachOf } from '../context.ts'
import { notFound } from '../domain-error.ts'
import type { Lead } from '../leads/lead.ts'
import { requireSeller } from './sell-lead.ts'

/** What is to be known before a lead is sold. */
export interface SalePrepared {
  lead: Lead
  /** The latest day on which the contract can have been signed, where the seller works. */
  today: string
}

export async function prepareSale(ctx: Context, leadKey: string): Promise<SalePrepared> {
  const deal = await findLeadDeal(ctx.db, reachOf(ctx), leadKey)
  if (!deal) throw notFound('lead')
  requireSeller(ctx.actor, deal.lead)
  if (deal.lead.erasedAt) throw erased()
  const { companies } = await ctx.directories.current(ctx.db, ctx.actor.installerId)
  return { lead: deal.lead, today: dayIn(companies.get(deal.lead.companyId)!.timezone, ctx.now) }
}
