import { type Context, reachOf } from '../../kernel/context.ts'
import { notFound } from '../../kernel/domain-error.ts'
import { findLeadDeal } from '../changes/deal.ts'
import type { Lead } from '../leads/lead.ts'
import type { Financing } from '../projects/project.ts'
import { type PricedGoods, priceGoods } from './price-goods.ts'
import { settleFinancing } from './sale-financing.ts'
import { findGoods } from './sale-goods.ts'
import type { SaleTerms } from './sale-terms.ts'
import { requireSeller, SoldAlready } from './sell-lead.ts'

export interface PricedSale extends PricedGoods {
  lead: Lead
  financing: Financing | null
}

/** Works out what a sale comes to, as far as it is decided. Nothing is written. */
export async function priceSale(ctx: Context, leadKey: string, terms: SaleTerms): Promise<PricedSale> {
  const deal = await findLeadDeal(ctx.db, reachOf(ctx), leadKey)
  if (!deal) throw notFound('lead')
  const { lead } = deal
  requireSeller(ctx.actor, lead)
  if (deal.project) throw new SoldAlready(deal.project.id)
  const directory = await ctx.directories.current(ctx.db, ctx.actor.installerId)
  const goods = priceGoods(await findGoods(ctx.db, directory, lead, terms), terms.price)
  const annualKwh = goods.system?.annualProductionKwh ?? null
  const financing =
    terms.financing && settleFinancing(terms.financing, lead.productLine, goods.price, annualKwh)
  return { lead, ...goods, financing }
}
