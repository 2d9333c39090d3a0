import { Big } from 'big.js'
import { findLeadDeal } from '../changes/deal.ts'
import { type Context, reachOf } from '../context.ts'
import { DomainError, notFound } from '../domain-error.ts'
import { mostMoney } from '../invoices/money.ts'
import type { Decimal, Lead } from '../leads/lead.ts'
import type { Financing, System } from './project.ts'
import { settleFinancing } from './sale-financing.ts'
import { findGoods, type Goods } from './sale-goods.ts'
import type { PriceTerms, SaleTerms } from './sale-terms.ts'
import { requireSeller, SoldAlready } from './sell-lead.ts'

export interface SalePrice {
  /** The system without its adders, by its price per watt. */
  base: Decimal | null
  /** What the adders or products come to, without those that the rep pays for. */
  extras: Decimal
  /** What all this comes to; null while the price per watt is open. */
  computed: Decimal | null
  /** What the customer pays: as computed, or as agreed in its place. */
  price: Decimal | null
}

export interface PricedSale extends Goods, SalePrice {
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
  const goods = await findGoods(ctx.db, directory, lead, terms)
  const sum = priceOf(goods, terms.price)
  const system = goods.system && { ...goods.system, pricePerWatt: perWatt(goods.system, sum, terms.price) }
  const annualKwh = system?.annualProductionKwh ?? null
  const financing =
    terms.financing && settleFinancing(terms.financing, lead.productLine, sum.price, annualKwh)
  return { lead, ...goods, ...sum, system, financing }
}

function priceOf({ system, lines }: Goods, terms: PriceTerms): SalePrice {
  if (!system && terms.perWatt !== null)
    throw new DomainError('invalid', 'price.perWatt: only a solar system has one. Leave it out.')
  const extras = lines
    .filter(({ repSponsored }) => !repSponsored)
    .reduce((sum, { total }) => sum.plus(total), new Big(0))
    .toFixed(2)
  const base = system && terms.perWatt !== null ? wattsOf(system).times(terms.perWatt).toFixed(2) : null
  const computed = system && base === null ? null : new Big(base ?? 0).plus(extras).toFixed(2)
  const price = terms.custom === null ? computed : new Big(terms.custom).toFixed(2)
  if (price !== null && new Big(price).gt(mostMoney))
    throw new DomainError('invalid', `The sale comes to more than $${mostMoney}. Check the quantities.`)
  return { base, extras, computed, price }
}

const finePlaces = 4

/** The prices by the watt. Where only a total was agreed, the base is what is left of it after the adders. */
function perWatt(system: System, { extras, price }: SalePrice, terms: PriceTerms): System['pricePerWatt'] {
  const watts = wattsOf(system)
  const by = (amount: Big | Decimal) => new Big(new Big(amount).div(watts).toFixed(finePlaces)).toFixed()
  if (price === null) return { base: null, final: null, adders: by(extras) }
  const rest = new Big(price).minus(extras)
  return {
    base: terms.perWatt ?? (rest.lt(0) ? null : by(rest)),
    final: by(price),
    adders: by(extras),
  }
}

function wattsOf({ sizeKw }: System): Big {
  return new Big(sizeKw!).times(1000)
}
