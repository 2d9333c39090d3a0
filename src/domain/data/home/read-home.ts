import { type Card, daysLate } from '../../deals/board/board.ts'
import { firstCards } from '../../deals/board/board-queries.ts'
import { readStages } from '../../deals/board/read-board.ts'
import { type Context, scopeOf } from '../../kernel/context.ts'
import { dayIn } from '../../kernel/days.ts'
import { listing } from '../../kernel/listing.ts'
import { ladderOf } from '../../kernel/tenant/directory.ts'
import type { ProductLine } from '../../kernel/tenant/stage.ts'
import { listVisits, readWaitingLeads, type Visit, type WaitingLead } from './queries.ts'

export interface StuckCard extends Card {
  stage: string
  daysLate: number
}

export interface Home {
  today: string
  /** Of seven days, from today. */
  visits: Visit[]
  waiting: { total: number; leads: (WaitingLead & { rep: string | null; dealer: string | null })[] }
  late: Record<ProductLine, number>
  stuck: StuckCard[]
}

const shownStuck = firstCards.home

/** What is new, what is stuck and what comes this week, for the person who asks. */
export const readHome = listing('clocked', async (ctx: Context): Promise<Home> => {
  const { db, now, actor } = ctx
  const directory = await ctx.directories.current(db, actor.installerId)
  const today = dayIn(directory.companies.get(actor.companyId)!.timezone, now)
  const lastDay = Temporal.PlainDate.from(today).add({ days: 6 }).toString()
  const stages = [...ladderOf(directory, 'solar'), ...ladderOf(directory, 'hi')]
  const [waiting, visits, columns] = await Promise.all([
    readWaitingLeads(db, scopeOf(ctx)),
    listVisits(db, { ...scopeOf(ctx), from: today, to: lastDay }),
    readStages(ctx, directory, stages, { late: true, sort: 'longest' }, 'home'),
  ])
  const lateOf = (line: ProductLine) =>
    columns.filter(({ stage }) => stage.productLine === line).reduce((sum, { late }) => sum + late, 0)
  const stuck = columns
    .flatMap(({ stage, cards }) =>
      cards.map((card) => ({
        ...card,
        stage: stage.name,
        daysLate: daysLate(card, stage, now),
      })),
    )
    .sort((a, b) => b.daysLate - a.daysLate)
    .slice(0, shownStuck)
  const leads = waiting.leads.map((lead) => {
    const company = directory.companies.get(lead.companyId)
    return {
      ...lead,
      rep: (lead.salesRepId && directory.members.get(lead.salesRepId)?.name) || null,
      dealer: company?.kind === 'dealer' ? company.name : null,
    }
  })
  return {
    today,
    visits,
    waiting: { total: waiting.total, leads },
    late: { solar: lateOf('solar'), hi: lateOf('hi') },
    stuck,
  }
})
