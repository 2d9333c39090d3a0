import { markAsSold, previewSale } from '../deals/sale/mark-as-sold.ts'
import { prepareSale } from '../deals/sale/sell-lead.ts'
import { moneyInWords, numberInWords } from '../kernel/money.ts'
import { ladderOf } from '../kernel/tenant/directory.ts'
import type { Proposable, RequestOf } from './agent-proposal.ts'
import { customerOf, told } from './in-words.ts'

type SaleRequest = RequestOf<'sale'>

/** A lead's sale. */
export const sale: Proposable<SaleRequest> = {
  action: 'leads.sell',

  async foresee(ctx, request) {
    const { lead: key, terms } = request
    const contract = contractOf(request)
    const { lead, system, products, price, financing } = await previewSale(ctx, key, terms, contract)
    const { signed, notes } = contract
    const { recipients } = await prepareSale(ctx, key)
    const directory = await ctx.directories.current(ctx.db, ctx.actor.installerId)
    const [first] = ladderOf(directory, lead.productLine)
    const customer = customerOf(lead)
    const follows = [`The lead becomes a project in ${first?.name ?? 'its first stage'}.`]
    if (system?.sizeKw) follows.push(`A system of ${numberInWords(system.sizeKw)} kW is sold.`)
    if (products?.length) follows.push(`Sold: ${products.map(({ name }) => name).join(', ')}.`)
    if (financing) follows.push(`Financing: ${financing.type}.`)
    if (recipients) follows.push(...told(recipients))
    return {
      about: { leadId: lead.id, projectId: null, installationId: null, invoiceId: null },
      basis: null,
      meaning: [lead.id, system, products, moneyInWords(price), financing, signed, notes],
      summary: `Mark ${customer} as sold for ${moneyInWords(price)}`,
      follows,
    }
  },

  async carryOut(ctx, request) {
    const { projectId } = await markAsSold(ctx, request.lead, request.terms, contractOf(request))
    return { resultId: projectId }
  },
}

const dayLength = 10

/** A time is a text while the proposal waits. */
function contractOf({ contract }: SaleRequest): SaleRequest['contract'] {
  const { signed } = contract
  return typeof signed === 'string' && signed.length > dayLength
    ? { ...contract, signed: new Date(signed) }
    : contract
}
