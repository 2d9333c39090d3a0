import { type Context, scopeOf } from '../../kernel/context.ts'
import type { Figure } from '../../kernel/counted.ts'
import { notFound } from '../../kernel/domain-error.ts'
import { listing } from '../../kernel/listing.ts'
import { may } from '../../kernel/policy.ts'
import type { Directory } from '../../kernel/tenant/directory.ts'
import type { ProductLine, Stage } from '../../kernel/tenant/stage.ts'
import { searchWords } from '../leads/search-words.ts'
import { type Card, cardFrom, lateBefore } from './board.ts'
import {
  type CardPosition,
  type ColumnRow,
  type FirstCards,
  firstCards,
  readCardsAfter,
  readColumns,
} from './board-queries.ts'
import type { BoardOrder, BoardSelection } from './projects-on-board.ts'

/** What a person asks the board for. */
export interface BoardFilters {
  search?: string | undefined
  rep?: string | undefined
  company?: string | undefined
  late?: boolean
  sort?: BoardOrder | undefined
}

export interface Column {
  stage: Stage
  total: Figure
  late: Figure
  cards: Card[]
  /** Where the next cards begin: behind the last of these; */
  next: CardPosition | null
  /** or behind the last that was looked at, which may be none of the reader's and is not told to them. There may be no others. */
  reached: CardPosition | null
}

/** A column for each stage of the ladder; one that is no longer in use has its column while projects stand in it. */
export const readBoard = listing(
  'clocked',
  async (ctx: Context, line: ProductLine, filters: BoardFilters): Promise<Column[]> => {
    const directory = await ctx.directories.current(ctx.db, ctx.actor.installerId)
    const stages = [...directory.stages.values()]
      .filter((stage) => stage.productLine === line)
      .sort((a, b) => a.position - b.position)
    const columns = await readStages(ctx, directory, stages, filters, 'board')
    return columns.filter(({ stage, total }) => !stage.retired || total.count > 0 || total.orMore)
  },
)

/** The first cards of the given stages, with how many there are. */
export async function readStages(
  ctx: Context,
  directory: Directory,
  stages: readonly Stage[],
  filters: BoardFilters,
  first: FirstCards,
): Promise<Column[]> {
  const limits = stages.map((stage) => ({ id: stage.id, lateBefore: lateBefore(stage, ctx.now) }))
  const columns = await readColumns(ctx.db, selectionOf(ctx, filters), limits, first)
  return stages.map((stage) => {
    const { total, late, ...read } = columns.find(({ stageId }) => stageId === stage.id)!
    return { stage, total, late, ...cut(ctx, read, firstCards[first], directory) }
  })
}

/** The cards of one stage that come after a place in its column. */
export const readMoreCards = listing(
  'clocked',
  async (
    ctx: Context,
    stageId: string,
    filters: BoardFilters,
    after: CardPosition,
    limit: number,
  ): Promise<Pick<Column, 'cards' | 'next' | 'reached'>> => {
    const directory = await ctx.directories.current(ctx.db, ctx.actor.installerId)
    const stage = directory.stages.get(stageId)
    if (!stage) throw notFound('stage')
    const asked = { id: stage.id, lateBefore: lateBefore(stage, ctx.now) }
    const read = await readCardsAfter(ctx.db, selectionOf(ctx, filters), asked, after, limit + 1)
    return cut(ctx, read, limit, directory)
  },
)

function cut(
  { actor, now }: Context,
  { cards: rows, reached }: Pick<ColumnRow, 'cards' | 'reached'>,
  limit: number,
  directory: Directory,
): Pick<Column, 'cards' | 'next' | 'reached'> {
  const priced = may(actor, 'sales.read')
  const cards = rows
    .slice(0, limit)
    .map((row) => cardFrom(priced ? row : { ...row, price: null }, directory, now))
  const last = cards.at(-1)
  const more = rows.length > limit && last !== undefined
  return { cards, next: more ? { enteredAt: last.enteredAt, id: last.id } : null, reached }
}

function selectionOf(ctx: Context, filters: BoardFilters): BoardSelection {
  const { installerId, companyId, memberId } = scopeOf(ctx)
  return {
    installerId,
    companyId,
    memberId: memberId ?? null,
    soldBy: filters.company || null,
    repId: filters.rep || null,
    words: searchWords(filters.search ?? ''),
    lateOnly: filters.late ?? false,
    order: filters.sort ?? 'recent',
  }
}
