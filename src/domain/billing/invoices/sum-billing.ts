import { type Context, scopeOf } from '../../kernel/context.ts'
import type { Figure } from '../../kernel/counted.ts'
import { dayIn } from '../../kernel/days.ts'
import { listing } from '../../kernel/listing.ts'
import { authorize } from '../../kernel/policy.ts'
import { type CreditSum, sumCredits } from '../credits/queries.ts'
import { figureOfRunningPlans } from '../plans/numbered-plan-queries.ts'
import { lastEndedMonth } from '../plans/plan.ts'
import { countUnbilled } from '../plans/plan-list-queries.ts'
import { type InvoiceSum, sumInvoices } from './list-queries.ts'

export interface BillingSummary {
  sums: InvoiceSum[]
  /** Installations that have a plan that runs. */
  plans: number
  /** Months that are held back, or whose invoice was taken back. */
  unbilled: Figure
  /** What customers have left in credits. */
  credits: CreditSum[]
  /** The last month that has ended where the company works, as YYYY-MM. */
  lastMonth: string
}

/** What is billed and what is not, without the lists. */
export const sumBilling = listing('anything', async (ctx: Context): Promise<BillingSummary> => {
  const { db, actor, now } = ctx
  authorize(actor, 'billing.read')
  const { companies } = await ctx.directories.current(db, actor.installerId)
  const today = dayIn(companies.get(actor.companyId)!.timezone, now)
  const scope = scopeOf(ctx)
  const [sums, plans, unbilled, credits] = await Promise.all([
    sumInvoices(db, { ...scope, today }),
    figureOfRunningPlans(db, { ...scope, kind: undefined }),
    countUnbilled(db, scope),
    sumCredits(db, scope),
  ])
  return {
    sums,
    plans: plans.total,
    unbilled,
    credits,
    lastMonth: lastEndedMonth(today).slice(0, 7),
  }
})
