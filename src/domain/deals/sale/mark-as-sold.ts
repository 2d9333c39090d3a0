import { Big } from 'big.js'
import { requireExpected } from '../../kernel/changed-meanwhile.ts'
import { type Context, scopeOf } from '../../kernel/context.ts'
import { DomainError, notFound } from '../../kernel/domain-error.ts'
import type { Decimal } from '../../kernel/money.ts'
import { findLeadDeal } from '../changes/deal.ts'
import { erased } from '../changes/refuse-erased.ts'
import type { Lead } from '../leads/lead.ts'
import type { Financing } from '../projects/project.ts'
import { type PricedItems, priceItems, settleFinancing } from './price-items.ts'
import type { ContractTerms, SaleTerms } from './sale-items.ts'
import { findSaleItems } from './sale-items.ts'
import {
  contractSigned,
  requireSeller,
  type Sale,
  type SaleOptions,
  type Sold,
  SoldAlready,
  sellLead,
} from './sell-lead.ts'

export interface PricedSale extends PricedItems {
  lead: Lead
  financing: Financing | null
}

/** Works out what a sale comes to, as far as it is decided. Nothing is written. */
export async function priceSale(ctx: Context, leadKey: string, terms: SaleTerms): Promise<PricedSale> {
  const deal = await findLeadDeal(ctx.db, scopeOf(ctx), leadKey)
  if (!deal) throw notFound('lead')
  const { lead } = deal
  requireSeller(ctx.actor, lead)
  requireExpected(ctx, lead)
  if (deal.project) throw new SoldAlready(deal.project.id)
  if (lead.erasedAt) throw erased()
  const directory = await ctx.directories.current(ctx.db, ctx.actor.installerId)
  const items = priceItems(await findSaleItems(ctx.db, directory, lead, terms), terms.price)
  const annualKwh = items.system?.annualProductionKwh ?? null
  const financing =
    terms.financing && settleFinancing(terms.financing, lead.productLine, items.price, annualKwh)
  return { lead, ...items, financing }
}

/** Sells a lead as the seller and the customer agreed, at the prices of the catalogue. */
export async function markAsSold(
  ctx: Context,
  leadKey: string,
  terms: SaleTerms,
  contract: ContractTerms,
  options: SaleOptions = {},
): Promise<Sold> {
  const priced = await priceSale(ctx, leadKey, terms)
  return sellLead(ctx, leadKey, await saleOf(ctx, priced, contract), options)
}

/** What a sale would be; refused where it would be. Nothing is written. */
export async function previewSale(
  ctx: Context,
  leadKey: string,
  terms: SaleTerms,
  contract: ContractTerms,
): Promise<PricedSale & { price: Decimal }> {
  const priced = await priceSale(ctx, leadKey, terms)
  await saleOf(ctx, priced, contract)
  return { ...priced, price: contract.price }
}

async function saleOf(ctx: Context, priced: PricedSale, contract: ContractTerms): Promise<Sale> {
  const { lead, system, products, price, financing } = priced
  if (price === null || !financing)
    throw new DomainError('invalid', 'The price and the financing are needed: a price per watt or a total.')
  if (system && system.annualProductionKwh === null)
    throw new DomainError(
      'invalid',
      'system.annualProductionKwh is required: for this address there is no estimate.',
    )
  requirePrice(price, contract.price)
  const { companies } = await ctx.directories.current(ctx.db, ctx.actor.installerId)
  return {
    ...contractSigned(companies.get(lead.companyId)!, contract.signed, ctx.now, contract.signedField),
    contractPrice: price,
    financing,
    system,
    products,
    notes: contract.notes,
  }
}

function requirePrice(price: Decimal, signed: Decimal): void {
  if (new Big(price).eq(signed)) return
  throw new DomainError(
    'invalid',
    `contract.price: by the catalogue it is now $${price}, not $${signed}. Look at the price again.`,
  )
}
