import { Big } from 'big.js'
import type { Context } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import type { Decimal } from '../../kernel/money.ts'
import type { Sale } from './begin-project.ts'
import { contractSigned } from './contract-signed.ts'
import { type PricedSale, priceSale } from './price-sale.ts'
import type { ContractTerms, SaleTerms } from './sale-terms.ts'
import { type SaleOptions, type Sold, sellLead } from './sell-lead.ts'

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
    ...contractSigned(companies.get(lead.companyId)!, contract.signedOn, ctx.now, 'contract.signedOn'),
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
