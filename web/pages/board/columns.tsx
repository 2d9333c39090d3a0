import {
  DndContext,
  type DragEndEvent,
  DragOverlay,
  KeyboardSensor,
  MouseSensor,
  TouchSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { useQueryClient } from '@tanstack/react-query'
import { startTransition, useCallback, useEffect, useState } from 'react'
import type { BoardResponse, CardResponse } from '../../../src/api/console/board.ts'
import { useMoveQuestion } from '../../moving/move-project.tsx'
import { useSession } from '../../session/session.tsx'
import { board as texts } from '../../texts/en/board.ts'
import { classes } from '../../ui/classes.ts'
import { CardFace } from './card.tsx'
import { BoardColumn } from './column.tsx'
import { useDrawn } from './drawn.ts'
import { announcements, betweenColumns, columnUnder } from './keyboard.ts'
import { type Target, useMove, useMovedColumns } from './moves.ts'
import { type BoardFilters, boardQuery, lengthen } from './use-board.ts'

/** The narrowest a column is: at most so many of them fit on a screen. */
const columnPx = 280

/** In which what is on the screen has been drawn, and perhaps a card been taken up. */
const restMs = 1_000

interface ColumnsProps {
  board: BoardResponse
  filters: BoardFilters
  filtered: boolean
  canMove: boolean
}

/** The stages side by side, with cards that are dragged from one to another. */
export function BoardColumns({ board, filters, filtered, canMove }: ColumnsProps) {
  const client = useQueryClient()
  const columns = useMovedColumns(board.columns)
  const { move: moveProject, question } = useMoveQuestion()
  const move = useMove(moveProject)
  const [dragged, setDragged] = useState<CardResponse | null>(null)
  const [focusedId, setFocusedId] = useState<string | null>(null)
  const drawn = useDrawn()
  const whole = useWhole(dragged !== null, drawn.size > 0)
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 6 } }),
    // Held for a moment, so that a finger that scrolls takes no card along.
    useSensor(TouchSensor, { activationConstraint: { delay: 220, tolerance: 8 } }),
    // At once, so that the next key finds the board where this one left it.
    useSensor(KeyboardSensor, { coordinateGetter: betweenColumns, scrollBehavior: 'auto' }),
  )
  // From the session, where it stays the same when the board is fetched again: cards that do too are not drawn again.
  const ladder = useSession().ladders[filters.line === 'hi' ? 'hi' : 'solar']

  const moveTo = useCallback(
    (card: CardResponse, to: Target) => {
      const from = ladder.find(({ id }) => id === card.stageId)
      if (to.id !== card.stageId) move({ card, from, to })
    },
    [ladder, move],
  )
  const moveByMenu = useCallback(
    (card: CardResponse, to: Target) => {
      setFocusedId(card.id)
      moveTo(card, to)
    },
    [moveTo],
  )

  function drop({ active, over }: DragEndEvent) {
    setDragged(null)
    setFocusedId(null)
    const card = active.data.current?.['card'] as CardResponse
    const to = over?.data.current?.['stage'] as Target | undefined
    if (to) moveTo(card, to)
  }

  const more = useCallback(
    async (stageId: string) => {
      const { queryKey } = boardQuery(filters)
      const shown = () => client.getQueryData<BoardResponse>(queryKey)?.columns ?? []
      const its = () => shown().find(({ stage }) => stage.id === stageId)
      for (;;) {
        const column = its()
        const longer = column && (await lengthen(column, filters))
        if (!longer) return false
        // Where it was fetched again meanwhile, these are perhaps not the next.
        if (its() !== column) continue
        const columns = shown().map((one) => (one === column ? longer : one))
        client.setQueryData<BoardResponse>(queryKey, { columns })
        return longer.cards.length > column.cards.length
      }
    },
    [client, filters],
  )

  return (
    <DndContext
      sensors={sensors}
      collisionDetection={columnUnder}
      accessibility={{ announcements, screenReaderInstructions: { draggable: texts.howToDrag } }}
      onDragStart={({ active }) => setDragged(active.data.current?.['card'] as CardResponse)}
      onDragEnd={drop}
      onDragCancel={() => setDragged(null)}
    >
      <section
        aria-label={texts.columns}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        tabIndex={0}
        className={classes(
          'flex min-h-0 flex-1 gap-3 overflow-x-auto px-4 pb-4 sm:px-8',
          !dragged && 'snap-x snap-mandatory scroll-px-4 sm:snap-none',
        )}
      >
        {columns.map((column, i) => (
          <BoardColumn
            key={column.stage.id}
            column={column}
            drawn={drawn}
            waits={!whole && i * columnPx > window.innerWidth}
            filtered={filtered}
            stages={canMove ? ladder : null}
            focusedId={focusedId}
            onMove={moveByMenu}
            onMore={more}
          />
        ))}
      </section>
      <DragOverlay dropAnimation={null}>
        {dragged && (
          <div className="rotate-1 cursor-grabbing rounded-xl border border-action bg-raised px-3.5 py-3 shadow-high">
            <CardFace card={dragged} />
          </div>
        )}
      </DragOverlay>
      {question}
    </DndContext>
  )
}

/**
 * Whether columns beyond the edge of the screen are drawn too: later, bit by bit, and not while a card is carried; at once
 * where they were drawn before.
 */
function useWhole(carries: boolean, atOnce: boolean): boolean {
  const [whole, setWhole] = useState(atOnce)
  useEffect(() => {
    if (carries) return
    const timer = setTimeout(() => startTransition(() => setWhole(true)), restMs)
    return () => clearTimeout(timer)
  }, [carries])
  return whole
}
