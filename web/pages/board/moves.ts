import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import type {
  BoardResponse,
  CardResponse,
  ColumnResponse,
  FigureResponse,
} from '../../../src/api/console/board.ts'
import {
  type MoveQuestion,
  NotMoved,
  type StageMovedResponse,
  undoMove,
  undoMs,
} from '../../moving/move-project.tsx'
import { board as texts } from '../../texts/en/board.ts'
import { moving as movingTexts } from '../../texts/en/moving.ts'
import { useToasts } from '../../ui/toast.tsx'

/** A stage to which a card may be moved. */
export type Target = Pick<ColumnResponse['stage'], 'id' | 'name'>

interface Move {
  card: CardResponse
  to: Target
  from: Target | undefined
  /** The move that it takes back. */
  undoes?: string
}

type Moved = StageMovedResponse | null

const key = ['move-stage']

/** The columns as they are once the card has moved. Where it has already, they stay as they are. */
export function withMove(
  columns: ColumnResponse[],
  { card, to }: Pick<Move, 'card' | 'to'>,
): ColumnResponse[] {
  const standing = columns.find(({ cards }) => cards.some(({ id }) => id === card.id))
  if (!standing || standing.stage.id === to.id) return columns
  const late = Number(card.late)
  const moved = { ...card, stageId: to.id, enteredAt: new Date().toISOString(), days: 0, late: false }
  return columns.map((column) => {
    // Of which there are more than are counted, the next answer tells.
    const changed = (figure: FigureResponse, by: number) =>
      figure.orMore ? figure : { ...figure, count: figure.count + by }
    if (column === standing) {
      const cards = column.cards.filter(({ id }) => id !== card.id)
      return { ...column, cards, total: changed(column.total, -1), late: changed(column.late, -late) }
    }
    if (column.stage.id !== to.id) return column
    return { ...column, cards: [moved, ...column.cards], total: changed(column.total, 1) }
  })
}

/** The columns with the moves that are still on their way. A move that is refused is no longer among them. */
export function useMovedColumns(columns: ColumnResponse[]): ColumnResponse[] {
  const moves = useMutationState({
    filters: { mutationKey: key, status: 'pending' },
    select: (mutation) => mutation.state.variables as Move,
  })
  return moves.reduce(withMove, columns)
}

export function useMove(moveProject: MoveQuestion['move']) {
  const client = useQueryClient()
  const { say, complain } = useToasts()
  const { mutate } = useMutation({
    mutationKey: key,
    // One after the other: a card that is moved twice ends where it was moved last.
    scope: { id: 'move-stage' },
    mutationFn: async ({ card, to, undoes }: Move): Promise<Moved> => {
      if (undoes === undefined) return moveProject(card.id, card.customer ?? texts.unnamed, to.name)
      await undoMove(card.id, undoes)
      return null
    },
    onSuccess: async (moved, move) => {
      // What was asked for before the move would show the card where it was.
      const cancelled = client.cancelQueries({ queryKey: ['board'] })
      client.setQueriesData<BoardResponse>({ queryKey: ['board'] }, (shown) =>
        shown ? { columns: withMove(shown.columns, move) } : shown,
      )
      await cancelled
      const { card, from, to } = move
      const back = from &&
        moved?.undo && {
          label: movingTexts.undo,
          forMs: undoMs,
          run: () =>
            mutate({
              card: { ...card, stageId: to.id, late: false },
              from: to,
              to: from,
              undoes: moved.undo!.moveId,
            }),
        }
      say(texts.moved(card.customer ?? texts.unnamed, to.name), back || undefined)
    },
    onError: (error) => {
      if (!(error instanceof NotMoved)) complain(error)
    },
    onSettled: (_answer, _error, { card }) => {
      if (client.isMutating({ mutationKey: key }) > 1) return
      for (const name of ['board', 'home', 'notifications'])
        void client.invalidateQueries({ queryKey: [name] })
      void client.invalidateQueries({ queryKey: ['project', card.id] })
    },
  })
  return mutate
}
