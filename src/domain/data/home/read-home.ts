import { type Card, daysLate } from '../../deals/board/board.ts'
import { firstCards } from '../../deals/board/board-queries.ts'
import { readStages } from '../../deals/board/read-board.ts'
import { type Context, scopeOf } from '../../kernel/context.ts'
import { type Figure, sumUp } from '../../kernel/counted.ts'
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
  waiting: { total: Figure; leads: (WaitingLead & { rep: string | null; dealer: string | null })[] }
  late: Record<ProductLine, Figure>
  /** The same by stage, without those where none is. */
  lateByStage: ({ productLine: ProductLine; stage: string } & Figure)[]
  stuck: StuckCard[]
}

/** How much of each is read: a little for a page, or as much as an agent goes through. */
const shown = {
  page: { stuck: 'home', leads: 'newest' },
  list: { stuck: 'board', leads: 'oldest' },
} as const

/** What is new, what is stuck and what comes this week, for the person who asks. */
export const readHome = listing(
  'clocked',
  async (ctx: Context, as: keyof typeof shown = 'page'): Promise<Home> => {
    const { db, now, actor } = ctx
    const directory = await ctx.directories.current(db, actor.installerId)
    const today = dayIn(directory.companies.get(actor.companyId)!.timezone, now)
    const lastDay = Temporal.PlainDate.from(today).add({ days: 6 }).toString()
    const stages = [...ladderOf(directory, 'solar'), ...ladderOf(directory, 'hi')]
    const [waiting, visits, columns] = await Promise.all([
      readWaitingLeads(db, scopeOf(ctx), shown[as].leads),
      listVisits(db, { ...scopeOf(ctx), from: today, to: lastDay }),
      readStages(ctx, directory, stages, { late: true, sort: 'longest' }, shown[as].stuck),
    ])
    const lateByStage = columns.map(({ stage, late }) => ({
      productLine: stage.productLine,
      stage: stage.name,
      ...late,
    }))
    const lateOf = (line: ProductLine) => sumUp(lateByStage.filter(({ productLine }) => productLine === line))
    const stuck = columns
      .flatMap(({ stage, cards }) =>
        cards.map((card) => ({
          ...card,
          stage: stage.name,
          daysLate: daysLate(card, stage, now),
        })),
      )
      .sort((a, b) => b.daysLate - a.daysLate)
      .slice(0, firstCards[shown[as].stuck])
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
      lateByStage: lateByStage.filter(({ count, orMore }) => count > 0 || orMore),
      stuck,
    }
  },
)
