import { findLeadDeal } from '../../../domain/deals/changes/deal.ts'
import { markAsSold as sell } from '../../../domain/deals/sale/mark-as-sold.ts'
import { SoldAlready } from '../../../domain/deals/sale/sell-lead.ts'
import { scopeOf } from '../../../domain/kernel/context.ts'
import { notFound } from '../../../domain/kernel/domain-error.ts'
import { saleOf } from '../../http/sale/sale-of.ts'
import { SaleBody } from '../../http/sale/sale-schemas.ts'
import { effectsSince, lastEntry } from '../effects.ts'
import { writingTool } from '../tool.ts'
import { Deciding, id, Written } from '../words.ts'

export const markAsSold = writingTool({
  name: 'mark_as_sold',
  title: 'Mark a lead as sold',
  description:
    'Makes a lead a project on the first stage of its ladder, with all that follows from that stage, messages to the customer included. A solar lead needs `system`, a home-improvement lead `products`, with ids from get_catalogue. The price must be what the customer signed. Its fields are those of POST /v1/leads/{id}/sale. Look with dry_run first.',
  of: 'company',
  needs: 'leads.sell',
  destructive: true,
  idempotent: true,
  open: false,
  kept: 'together',
  input: Deciding({ lead_id: id('The lead’s id or reference'), ...SaleBody.properties }),
  output: Written,
  proposal: async (_call, { lead_id, ...body }) => ({ kind: 'sale', lead: lead_id, ...saleOf(body) }),
  async write({ ctx }, { lead_id, ...body }) {
    const deal = await findLeadDeal(ctx.db, scopeOf(ctx), lead_id)
    if (!deal) throw notFound('lead')
    const { lead } = deal
    const before = await lastEntry(ctx, lead.id)
    const { terms, contract } = saleOf(body)
    const sold = await sell(ctx, lead.id, terms, contract).catch((error) => {
      if (error instanceof SoldAlready) return error
      throw error
    })
    const changed = !(sold instanceof SoldAlready)
    return {
      changed,
      summary: changed ? 'The lead is sold and becomes a project.' : 'The lead was sold already.',
      effects: changed ? await effectsSince(ctx, lead.id, before) : [],
      record: { lead_id: lead.id, project_id: sold.projectId },
      ...(changed ? { made: ['project_id'] } : {}),
    }
  },
})
