import {
  type Announcements,
  type CollisionDetection,
  closestCenter,
  type KeyboardCoordinateGetter,
  pointerWithin,
} from '@dnd-kit/core'
import { board as texts } from '../../texts/en/board.ts'

/** By keyboard a card goes from column to column. */
export const betweenColumns: KeyboardCoordinateGetter = (event, { context }) => {
  const step = event.code === 'ArrowRight' ? 1 : event.code === 'ArrowLeft' ? -1 : 0
  const { droppableRects, collisionRect, over } = context
  if (step === 0 || !collisionRect) return undefined
  event.preventDefault()
  const columns = [...droppableRects].sort(([, a], [, b]) => a.left - b.left)
  const target = columns[columns.findIndex(([id]) => id === over?.id) + step]
  return target && { x: target[1].left + 8, y: collisionRect.top }
}

/** The column under the pointer; by keyboard the nearest one. */
export const columnUnder: CollisionDetection = (args) =>
  args.pointerCoordinates ? pointerWithin(args) : closestCenter(args)

interface Named {
  data: { current?: { name?: string } | undefined }
}
const nameOf = (one: Named) => one.data.current?.name ?? ''

export const announcements: Announcements = {
  onDragStart: ({ active }) => texts.picked(nameOf(active)),
  onDragOver: ({ active, over }) =>
    over ? texts.over(nameOf(active), nameOf(over)) : texts.overNothing(nameOf(active)),
  onDragEnd: ({ active, over }) =>
    over ? texts.dropped(nameOf(active), nameOf(over)) : texts.droppedNowhere(nameOf(active)),
  onDragCancel: ({ active }) => texts.droppedNowhere(nameOf(active)),
}
