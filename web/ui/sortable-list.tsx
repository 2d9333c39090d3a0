import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  DragOverlay,
  PointerSensor,
  useDraggable,
  useDroppable,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { ChevronDown, ChevronUp, GripVertical } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
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
  const [draggedId, setDraggedId] = useState<string | null>(null)
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 4 } }))
  const names = new Map(items.map(({ id, name }) => [id, name]))

  // The browser forgets what has the focus where its row is taken elsewhere.
  const used = useRef<Element | null>(null)
  const order = items.map(({ id }) => id).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the new order after which it is needed
  useLayoutEffect(() => {
    if (used.current instanceof HTMLElement) used.current.focus()
    used.current = null
  }, [order])

  function move(id: string, to: number) {
    const ids = items.map((item) => item.id)
    const from = ids.indexOf(id)
    if (to < 0 || to >= ids.length || from === to) return
    onOrder(ids.toSpliced(from, 1).toSpliced(to, 0, id))
  }
  function drop({ active, over }: DragEndEvent) {
    setDraggedId(null)
    if (over)
      move(
        String(active.id),
        items.findIndex(({ id }) => id === over.id),
      )
  }

  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      accessibility={{
        announcements: announcementsFor(names),
        screenReaderInstructions: { draggable: texts.howTo },
      }}
      onDragStart={({ active }) => setDraggedId(String(active.id))}
      onDragEnd={drop}
      onDragCancel={() => setDraggedId(null)}
    >
      <ol aria-label={label} className="divide-y divide-line/70">
        {items.map((item, place) => (
          <Row
            key={item.id}
            item={item}
            below={items.findIndex(({ id }) => id === draggedId) < place}
            first={place === 0}
            last={place === items.length - 1}
            onStep={(step) => {
              used.current = document.activeElement
              move(item.id, place + step)
            }}
          >
            {children(item)}
          </Row>
        ))}
      </ol>
      <DragOverlay dropAnimation={null}>
        {draggedId && (
          <div className="cursor-grabbing rounded-lg border border-action bg-raised px-4 py-2.5 font-medium shadow-high">
            {names.get(draggedId)}
          </div>
        )}
      </DragOverlay>
    </DndContext>
  )
}

interface RowProps {
  item: Sortable
  /** Whether what is dragged comes from above it. */
  below: boolean
  first: boolean
  last: boolean
  onStep: (step: 1 | -1) => void
  children: ReactNode
}

function Row({ item: { id, name }, below, first, last, onStep, children }: RowProps) {
  const wide = useWide()
  const drag = useDraggable({ id })
  const { setNodeRef, isOver } = useDroppable({ id })
  const stepByKey = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : null
    if (step === null) return
    event.preventDefault()
    onStep(step)
  }
  return (
    <li
      ref={setNodeRef}
      className={classes(
        'relative flex items-center gap-1 pl-1.5',
        drag.isDragging && 'opacity-40',
        isOver &&
          !drag.isDragging &&
          classes(
            'after:absolute after:inset-x-0 after:h-0.5 after:bg-action',
            below ? 'after:bottom-0' : 'after:top-0',
          ),
      )}
    >
      {wide ? (
        <button
          ref={drag.setNodeRef}
          type="button"
          {...drag.listeners}
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
