import { type Static, Type } from 'typebox'
import type { Card } from '../../domain/deals/board/board.ts'
import { type CardPosition, firstCards, maxCards } from '../../domain/deals/board/board-queries.ts'
import {
  type BoardFilters,
  type Column,
  readBoard,
  readMoreCards,
} from '../../domain/deals/board/read-board.ts'
import type { Context } from '../../domain/kernel/context.ts'
import type { Figure } from '../../domain/kernel/counted.ts'
import type { Deps } from '../deps.ts'
import type { Routes } from '../http/routes.ts'
import { Fields, optional } from '../http/schema-words.ts'
import { sendJson } from '../http/send-json.ts'
import { openPlace, sealedPattern, sealPlace } from './sealed-place.ts'
import { contextOf } from './sessions.ts'

export type FigureResponse = Figure

export interface CardResponse extends Omit<Card, 'enteredAt'> {
  /** An instant. */
  enteredAt: string | null
}

export interface CardsResponse {
  cards: CardResponse[]
  /** Goes into `after` for the next cards, of which there may be none; null where these are all. */
  next: string | null
}

export interface ColumnResponse extends CardsResponse {
  stage: { id: string; name: string; daysAllowed: number | null; retired: boolean }
  /** How many stand in the stage under the filters, and how many of them are late. */
  total: FigureResponse
  late: FigureResponse
}

export interface BoardResponse {
  columns: ColumnResponse[]
}

const Id = Type.String({ maxLength: 64 })
const filters = {
  search: optional(Type.String({ maxLength: 200 })),
  rep: optional(Id),
  company: optional(Id),
  late: optional(Type.Literal('yes')),
  sort: optional(Type.Enum(['recent', 'longest'])),
}
const BoardQuery = Fields({ line: optional(Type.Enum(['solar', 'hi'])), ...filters })
const StageParams = Type.Object({ stageId: Type.String() })
const MoreQuery = Fields({
  ...filters,
  after: Type.String({
    pattern: `^(([0-9a-z]{1,9}|-)\\.proj_[0-9a-z]{10,40}|${sealedPattern})$`,
    'x-message': 'must be the "next" of the cards before',
  }),
  limit: optional(Type.Integer({ minimum: 1, maximum: maxCards - 1 })),
})

export function boardRoutes(app: Routes, deps: Deps): void {
  app.get('/board', { schema: { querystring: BoardQuery } }, async (request, reply) => {
    const { line = 'solar' } = request.query
    const ctx = contextOf(deps, request)
    const columns = await readBoard(ctx, line, filtersOf(request.query))
    const shown = columns.map(({ stage, total, late, cards, ...end }) => ({
      stage: { id: stage.id, name: stage.name, daysAllowed: stage.daysAllowed, retired: stage.retired },
      total,
      late,
      cards,
      next: nextOf(deps, ctx, end),
    }))
    return sendJson(reply, JSON.stringify({ columns: shown }))
  })

  app.get(
    '/board/:stageId',
    { schema: { params: StageParams, querystring: MoreQuery } },
    async (request, reply) => {
      const { after, limit = firstCards.board } = request.query
      const ctx = contextOf(deps, request)
      const { cards, ...end } = await readMoreCards(
        ctx,
        request.params.stageId,
        filtersOf(request.query),
        positionOf(openPlace(deps, ctx, 'board', after)),
        limit,
      )
      return sendJson(reply, JSON.stringify({ cards, next: nextOf(deps, ctx, end) }))
    },
  )
}

function filtersOf({ search, rep, company, late, sort }: Static<typeof BoardQuery>): BoardFilters {
  return { search, rep, company, late: late === 'yes', sort }
}

function nextOf(
  deps: Deps,
  ctx: Context,
  { next, reached }: Pick<Column, 'next' | 'reached'>,
): string | null {
  if (next) return written(next)
  return reached && sealPlace(deps, ctx, 'board', written(reached))
}

function written({ enteredAt, id }: CardPosition): string {
  return `${enteredAt?.getTime().toString(36) ?? '-'}.${id}`
}

function positionOf(text: string): CardPosition {
  const [at = '', id = ''] = text.split('.')
  return { enteredAt: at === '-' ? null : new Date(Number.parseInt(at, 36)), id }
}
