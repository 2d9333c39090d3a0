import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import type { BoardShown, CardShown, ColumnShown } from '../../../src/api/console/board.ts'
import { api } from '../../api/client.ts'
import { board as texts } from '../../texts/en/board.ts'
import { useToasts } from '../../ui/toast.tsx'

/** A stage to which a card may be moved. */
export type Target = Pick<ColumnShown['stage'], 'id' | 'name'>

interface Move {
  card: CardShown
  to: Target
  /** Where it may be moved back to. */
  from: Target | undefined
}

const key = ['move-stage']

/** The columns as they are once the card has moved. Where it has already, they stay as they are. */
export function withMove(columns: ColumnShown[], { card, to }: Pick<Move, 'card' | 'to'>): ColumnShown[] {
  const standing = columns.find(({ cards }) => cards.some(({ id }) => id === card.id))
  if (!standing || standing.stage.id === to.id) return columns
  const late = Number(card.late)
  const moved = { ...card, stageId: to.id, enteredAt: new Date().toISOString(), days: 0, late: false }
  return columns.map((column) => {
    if (column === standing) {
      const cards = column.cards.filter(({ id }) => id !== card.id)
      return { ...column, cards, total: column.total - 1, late: column.late - late }
    }
    if (column.stage.id !== to.id) return column
    return { ...column, cards: [moved, ...column.cards], total: column.total + 1 }
  })
}

/** The columns with the moves that are still on their way. A move that is refused is no longer among them. */
export function useMovedColumns(columns: ColumnShown[]): ColumnShown[] {
  const moves = useMutationState({
    filters: { mutationKey: key, status: 'pending' },
    select: (mutation) => mutation.state.variables as Move,
  })
  return moves.reduce(withMove, columns)
}

export function useMove() {
  const client = useQueryClient()
  const { say, complain } = useToasts()
  const { mutate } = useMutation({
    mutationKey: key,
    // One after the other: a card that is moved twice ends where it was moved last.
    scope: { id: 'move-stage' },
    mutationFn: ({ card, to }: Move) => api.post(`/projects/${card.id}/stage`, { stage: to.name }),
    onSuccess: async (_answer, move) => {
      // What was asked for before the move would show the card where it was.
      await client.cancelQueries({ queryKey: ['board'] })
      client.setQueriesData<BoardShown>({ queryKey: ['board'] }, (shown) =>
        shown ? { columns: withMove(shown.columns, move) } : shown,
      )
      const { card, from, to } = move
      const back = from && {
        label: texts.undo,
        run: () => mutate({ card: { ...card, late: false }, from: to, to: from }),
      }
      say(texts.moved(card.customer ?? texts.unnamed, to.name), back)
    },
    onError: complain,
    onSettled: (_answer, _error, { card }) => {
      if (client.isMutating({ mutationKey: key }) > 1) return
      for (const name of ['board', 'home', 'notifications'])
        void client.invalidateQueries({ queryKey: [name] })
      void client.invalidateQueries({ queryKey: ['project', card.id] })
    },
  })
  return mutate
}
