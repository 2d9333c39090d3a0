import { useDroppable } from '@dnd-kit/core'
import { useEffect, useRef, useState } from 'react'
import type { CardResponse, ColumnResponse } from '../../../src/api/console/board.ts'
import { board as texts } from '../../texts/en/board.ts'
import { common } from '../../texts/en/common.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { nearObserver } from '../../ui/near-observer.ts'
import { Badge } from '../../ui/surface.tsx'
import { BoardCard } from './card.tsx'
import type { Target } from './moves.ts'

interface ColumnProps {
  column: ColumnResponse
  /** How many cards of which stage were drawn. */
  drawn: Map<string, number>
  /** Whether its cards are not drawn yet. */
  waits: boolean
  filtered: boolean
  stages: readonly Target[] | null
  /** The card that was just moved by its menu. */
  focusedId: string | null
  onMove: (card: CardResponse, to: Target) => void
  /** Answers whether there were any. */
  onMore: (stageId: string) => Promise<boolean>
}

/** At first only as many cards are drawn as fit on a screen; more when one comes near the end of them. */
const cardPx = 138
const nearPx = 200
const drawnMore = 20
/** So many the server looks at for more cards of whoever is on very many. */
const lookedAtMore = 20_000

export function BoardColumn(props: ColumnProps) {
  const { column, drawn: before, waits, filtered, stages, focusedId, onMove, onMore } = props
  const { stage, late, cards, next } = column
  const [drawn, setDrawn] = useState(() => before.get(stage.id) ?? Math.ceil(window.innerHeight / cardPx))
  useEffect(() => void before.set(stage.id, drawn), [before, stage.id, drawn])
  const { setNodeRef, isOver } = useDroppable({
    id: stage.id,
    data: { name: stage.name, stage },
    disabled: stage.retired,
  })
  const shown = waits ? [] : cards.slice(0, drawn)
  const hasMore = !waits && (shown.length < cards.length || next !== null)

  return (
    <section
      ref={setNodeRef}
      aria-label={texts.column(stage.name, column)}
      className={classes(
        'flex max-h-full w-[84vw] max-w-80 shrink-0 snap-center flex-col rounded-2xl bg-sunken transition-shadow sm:w-72',
        isOver && 'ring-2 ring-action ring-inset',
      )}
    >
      <header className="flex items-center gap-2 px-4 pt-3 pb-2">
        <h2 className="min-w-0 truncate font-semibold" title={stage.retired ? texts.retired : stage.name}>
          {stage.name}
        </h2>
        <span className="text-ink-soft tabular-nums">{texts.total(column)}</span>
        <span className="flex-1" />
        {late.count > 0 && (
          <Badge tone="bad">
            <span aria-hidden>{texts.lateCount(column)}</span>
            <span className="sr-only">{texts.lateCountLong(column)}</span>
          </Badge>
        )}
      </header>
      <ul className="min-h-24 flex-1 overflow-y-auto overscroll-y-contain px-1.5 pb-2">
        {shown.map((card) => (
          <li key={card.id} className="p-1 [contain-intrinsic-size:auto_8.6rem] [content-visibility:auto]">
            <BoardCard card={card} stages={stages} focused={focusedId === card.id} onMove={onMove} />
          </li>
        ))}
        {hasMore && (
          <li key="more">
            <More
              onNear={async () => {
                const found = shown.length < cards.length || (await onMore(stage.id))
                setDrawn(shown.length + drawnMore)
                return found
              }}
            />
          </li>
        )}
        {cards.length === 0 && next === null && (
          <li className="px-3 py-6 text-center text-[0.87rem] text-ink-soft">
            {filtered ? texts.noCardsFiltered : texts.noCards}
          </li>
        )}
      </ul>
    </section>
  )
}

const restMs = 200

/**
 * The end of what is there: while it is near, more is drawn, and fetched where there is no more to draw. Where nothing was
 * found among very many, one is asked whether to look further.
 */
function More({ onNear }: { onNear: () => Promise<boolean> }) {
  const [state, setState] = useState<'going' | 'nothing' | 'failed'>('going')
  const end = useRef<HTMLDivElement>(null)
  const near = useRef(onNear)
  near.current = onNear

  useEffect(() => {
    const mark = end.current
    if (state !== 'going' || !mark) return
    let timer: number | undefined
    const drawMore = async () => {
      observer.unobserve(mark)
      try {
        if (!(await near.current())) return setState('nothing')
        // Looked at again, it tells whether it is still near.
        timer = window.setTimeout(() => observer.observe(mark), restMs)
      } catch {
        setState('failed')
      }
    }
    const observer = nearObserver(drawMore, nearPx, mark.closest('ul'))
    observer.observe(mark)
    return () => {
      window.clearTimeout(timer)
      observer.disconnect()
    }
  }, [state])

  if (state !== 'going') {
    const failed = state === 'failed'
    return (
      <p
        role={failed ? 'alert' : 'status'}
        className="flex flex-col items-center gap-2 py-4 text-[0.87rem] text-ink-soft"
      >
        {failed ? texts.moreFailed : common.noneAmongNext(lookedAtMore)}
        <Button small onClick={() => setState('going')}>
          {failed ? common.tryAgain : common.lookFurther}
        </Button>
      </p>
    )
  }
  return (
    <div ref={end} role="status" className="py-4 text-center text-[0.87rem] text-ink-soft">
      {texts.loadingMore}
    </div>
  )
}
