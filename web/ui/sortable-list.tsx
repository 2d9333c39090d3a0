import {
  type Announcements,
  closestCenter,
  DndContext,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { arrayMove, SortableContext, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { ChevronDown, ChevronUp, GripVertical } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from 'react'
import { sorting as texts } from '../texts/en/sorting.ts'
import { IconButton } from './button.tsx'
import { classes } from './classes.ts'
import { useWide } from './use-wide.ts'

export interface Sortable {
  id: string
  name: string
}

interface SortableListProps<T extends Sortable> {
  label: string
  items: readonly T[]
  /** Given all ids in their new order. */
  onOrder: (ids: string[]) => void
  children: (item: T) => ReactNode
}

/** A list whose entries are put into order: by dragging, by the arrow keys, on a phone by buttons. */
export function SortableList<T extends Sortable>({ label, items, onOrder, children }: SortableListProps<T>) {
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 4 } }))
  const names = new Map(items.map(({ id, name }) => [id, name]))

  const ids = items.map(({ id }) => id)

  // The browser forgets what has the focus where its row is taken elsewhere.
  const used = useRef<Element | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the new order after which it is needed
  useLayoutEffect(() => {
    if (used.current instanceof HTMLElement) used.current.focus()
    used.current = null
  }, [ids.join()])

  function move(from: number, to: number) {
    if (to >= 0 && to < ids.length && from !== to) onOrder(arrayMove(ids, from, to))
  }

  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      accessibility={{
        announcements: announcementsFor(names),
        screenReaderInstructions: { draggable: texts.howTo },
      }}
      onDragEnd={({ active, over }) =>
        over && move(ids.indexOf(String(active.id)), ids.indexOf(String(over.id)))
      }
    >
      <SortableContext items={ids} strategy={verticalListSortingStrategy}>
        <ol aria-label={label} className="divide-y divide-line/70">
          {items.map((item, place) => (
            <Row
              key={item.id}
              item={item}
              first={place === 0}
              last={place === items.length - 1}
              onStep={(step) => {
                used.current = document.activeElement
                move(place, place + step)
              }}
            >
              {children(item)}
            </Row>
          ))}
        </ol>
      </SortableContext>
    </DndContext>
  )
}

interface RowProps {
  item: Sortable
  first: boolean
  last: boolean
  onStep: (step: 1 | -1) => void
  children: ReactNode
}

function Row({ item: { id, name }, first, last, onStep, children }: RowProps) {
  const wide = useWide()
  const { setNodeRef, setActivatorNodeRef, listeners, transform, transition, isDragging } = useSortable({
    id,
  })
  const stepByKey = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : null
    if (step === null) return
    event.preventDefault()
    onStep(step)
  }
  return (
    <li
      ref={setNodeRef}
      style={{ transform: transform ? `translateY(${transform.y}px)` : undefined, transition }}
      className={classes(
        'relative flex items-center gap-1 pl-1.5',
        isDragging && 'z-10 rounded-lg bg-raised shadow-high',
      )}
    >
      {wide ? (
        <button
          ref={setActivatorNodeRef}
          type="button"
          {...listeners}
          aria-label={texts.handle(name)}
          onKeyDown={stepByKey}
          className="inline-flex h-9 w-7 shrink-0 cursor-grab touch-none items-center justify-center rounded-lg text-ink-soft hover:bg-sunken hover:text-ink"
        >
          <GripVertical className="size-4" aria-hidden />
        </button>
      ) : (
        <div className="flex flex-col py-1">
          <IconButton
            label={texts.up(name)}
            disabled={first}
            onClick={() => onStep(-1)}
            className={stepClass}
          >
            <ChevronUp className="size-4" aria-hidden />
          </IconButton>
          <IconButton
            label={texts.down(name)}
            disabled={last}
            onClick={() => onStep(1)}
            className={stepClass}
          >
            <ChevronDown className="size-4" aria-hidden />
          </IconButton>
        </div>
      )}
      <div className="min-w-0 flex-1">{children}</div>
    </li>
  )
}

const stepClass = 'h-7! w-8! disabled:opacity-35'

function announcementsFor(names: ReadonlyMap<string, string>): Announcements {
  const nameOf = ({ id }: { id: string | number }) => names.get(String(id)) ?? ''
  return {
    onDragStart: ({ active }) => texts.picked(nameOf(active)),
    onDragOver: ({ active, over }) => (over ? texts.over(nameOf(active), nameOf(over)) : undefined),
    onDragEnd: ({ active, over }) => (over ? texts.dropped(nameOf(active)) : texts.stays(nameOf(active))),
    onDragCancel: ({ active }) => texts.stays(nameOf(active)),
  }
}
