import { Big } from 'big.js'
import { dayIn } from '../companies/company.ts'
import type { Context } from '../context.ts'
import { DomainError } from '../domain-error.ts'
import type { Decimal } from '../leads/lead.ts'
import type { Sale } from './begin-project.ts'
import { type PricedSale, priceSale } from './price-sale.ts'
import type { ContractTerms, SaleTerms } from './sale-terms.ts'
import { sellLead } from './sell-lead.ts'

const firstDay = '2000-01-01'

/** Sells a lead as the seller and the customer agreed, at the prices of the catalogue. */
export async function markAsSold(
  ctx: Context,
  leadKey: string,
  terms: SaleTerms,
  contract: ContractTerms,
): Promise<{ projectId: string }> {
  const priced = await priceSale(ctx, leadKey, terms)
  return sellLead(ctx, leadKey, await saleOf(ctx, priced, contract))
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
  const { timezone } = companies.get(lead.companyId)!
  if (contract.signedOn > dayIn(timezone, ctx.now) || contract.signedOn < firstDay)
    throw new DomainError('invalid', 'contract.signedOn must be a day that has come, from the year 2000 on.')
  return {
    // The middle of the day: it is the same day wherever it is read.
    contractSignedAt: new Date(
      Temporal.PlainDate.from(contract.signedOn).toZonedDateTime({ timeZone: timezone, plainTime: '12:00' })
        .epochMilliseconds,
    ),
    milestones: { contractSigned: contract.signedOn },
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
