import { useDraggable } from '@dnd-kit/core'
import { Link } from '@tanstack/react-router'
import { CalendarDays, Clock3, EllipsisVertical, GripVertical } from 'lucide-react'
import { memo, useEffect, useRef, useState } from 'react'
import type { CardResponse } from '../../../src/api/console/board.ts'
import { board as texts } from '../../texts/en/board.ts'
import { classes } from '../../ui/classes.ts'
import { formatNumber, formatShortDay, formatWholeMoney } from '../../ui/format.ts'
import { Menu, MenuItem, MenuLabel } from '../../ui/menu.tsx'
import { Avatar } from '../../ui/surface.tsx'
import { stretchedLink } from '../../ui/table.tsx'
import type { Target } from './moves.ts'

interface CardProps {
  card: CardResponse
  /** Where it may be moved; null where the person may not move it. */
  stages: readonly Target[] | null
  /** Was just moved by its menu: the keyboard goes on from where it is now. */
  focused: boolean
  onMove: (card: CardResponse, to: Target) => void
}

const toolClass =
  'inline-flex size-8 items-center justify-center rounded-lg text-ink-soft hover:bg-sunken hover:text-ink'

/** A project on the board: a link to it, dragged as a whole, or moved by its menu. */
export const BoardCard = memo(function BoardCard({ card, stages, focused, onMove }: CardProps) {
  const name = card.customer ?? texts.unnamed
  const { setNodeRef, setActivatorNodeRef, listeners, attributes, isDragging } = useDraggable({
    id: card.id,
    data: { name, card },
    disabled: !stages,
  })
  const { onKeyDown, ...byPointer } = listeners ?? {}
  return (
    <div
      ref={setNodeRef}
      data-card={card.id}
      {...byPointer}
      className={classes(
        'group relative rounded-xl border border-line bg-surface py-3 pr-2 pl-3.5 shadow-card transition-[border-color,opacity] hover:border-line-strong/60',
        stages && 'cursor-grab touch-manipulation select-none',
        isDragging && 'opacity-40',
      )}
    >
      <CardFace card={card} />
      {stages && (
        <div className="absolute top-1.5 right-1.5 flex">
          <button
            ref={setActivatorNodeRef}
            type="button"
            {...attributes}
            onKeyDown={onKeyDown as React.KeyboardEventHandler}
            aria-label={texts.drag(name)}
            className={classes(
              toolClass,
              'w-6 cursor-grab bg-surface opacity-0 group-hover:opacity-100 focus-visible:opacity-100',
            )}
          >
            <GripVertical className="size-4" aria-hidden />
          </button>
          <MoveMenu
            name={name}
            stages={stages}
            standing={card.stageId}
            focused={focused}
            onMove={(to) => onMove(card, to)}
          />
        </div>
      )}
    </div>
  )
})

interface MoveMenuProps {
  name: string
  stages: readonly Target[]
  standing: string
  focused: boolean
  onMove: (to: Target) => void
}

function MoveMenu({ name, stages, standing, focused, onMove }: MoveMenuProps) {
  const [asked, setAsked] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (focused) button.current?.focus()
  }, [focused])
  const shown = (
    <button
      ref={button}
      type="button"
      aria-label={texts.move(name)}
      aria-haspopup="menu"
      title={texts.moveTo}
      onClick={() => setAsked(true)}
      className={toolClass}
    >
      <EllipsisVertical className="size-4" aria-hidden />
    </button>
  )
  if (!asked) return shown
  return (
    <Menu defaultOpen trigger={shown}>
      <MenuLabel>{texts.moveTo}</MenuLabel>
      {stages.map((stage) => (
        <MenuItem
          key={stage.id}
          current={stage.id === standing}
          disabled={stage.id === standing}
          onSelect={() => onMove(stage)}
        >
          {stage.name}
        </MenuItem>
      ))}
    </Menu>
  )
}

/** What a card says. Drawn once: while something is dragged, every card is asked whether it is the one. */
export const CardFace = memo(function CardFace({ card }: { card: CardResponse }) {
  const what = card.sizeKw ? texts.kw(formatNumber(card.sizeKw)) : card.products.join(', ')
  return (
    <div className="flex flex-col gap-1.5">
      <Link
        to="/projects/$id"
        params={{ id: card.id }}
        draggable={false}
        preload={false}
        className={classes(stretchedLink, 'mr-14 truncate font-semibold hover:underline')}
      >
        {card.customer ?? texts.unnamed}
      </Link>
      <p className="truncate text-[0.87rem] text-ink-soft">{[card.city, what].filter(Boolean).join(' · ')}</p>
      <div className="flex items-center gap-2 text-[0.87rem]">
        {card.price && (
          <span className="font-medium whitespace-nowrap tabular-nums">{formatWholeMoney(card.price)}</span>
        )}
        {card.installDay && (
          <span className="inline-flex items-center gap-1 text-info" title={texts.install(card.installDay)}>
            <CalendarDays className="size-3.5" aria-hidden />
            <span className="sr-only">{texts.install('')}</span>
            {formatShortDay(card.installDay)}
          </span>
        )}
      </div>
      <div className="flex items-center gap-2 pt-0.5 text-[0.8rem] text-ink-soft">
        {card.rep && <Avatar name={card.rep} small />}
        <span className="min-w-0 flex-1 truncate">{[card.rep, card.dealer].filter(Boolean).join(' · ')}</span>
        {card.days !== null && <DaysInStage days={card.days} late={card.late} />}
      </div>
    </div>
  )
})

function DaysInStage({ days, late }: { days: number; late: boolean }) {
  return (
    <span
      title={texts.daysLong(days)}
      className={classes(
        'inline-flex shrink-0 items-center gap-1 rounded-full px-2 py-0.5 font-medium tabular-nums',
        late ? 'bg-bad-soft text-bad' : 'bg-sunken',
      )}
    >
      <Clock3 className="size-3.5" aria-hidden />
      {texts.days(days)}
      {late && <span className="sr-only">, {texts.isLate}</span>}
    </span>
  )
}
