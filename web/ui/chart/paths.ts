import { type ChartPoint, columnsOf } from './scale.ts'

export interface Frame {
  width: number
  height: number
  /** The value at the top. */
  top: number
}

const narrowest = 3

/** Whether each point has room for a bar of its own. */
export const fitsBars = (count: number, { width }: Frame) => count * narrowest <= width

const round = (value: number) => Math.round(value * 10) / 10

/** All bars as one path: thousands of elements would be slow. */
export function barsPath(points: readonly ChartPoint[], frame: Frame): string {
  const { width, height, top } = frame
  if (!fitsBars(points.length, frame)) return columnsPath(points, frame)
  const room = width / points.length
  const gap = Math.min(room * 0.25, 6)
  let path = ''
  for (const [i, { value }] of points.entries()) {
    if (value === null) continue
    // A zero is something that was read: it is seen.
    const tall = Math.max(1, (Math.max(0, value) / top) * height)
    path += `M${round(i * room + gap / 2)} ${height}v${-round(tall)}h${round(room - gap)}v${round(tall)}z`
  }
  return path
}

function columnsPath(points: readonly ChartPoint[], { width, height, top }: Frame): string {
  const columns = columnsOf(
    points.map(({ value }) => value),
    Math.max(1, Math.floor(width)),
  )
  let path = ''
  for (const [x, column] of columns.entries())
    if (column) path += `M${x} ${height}v${-round(Math.max(1, (column.max / top) * height))}h1V${height}z`
  return path
}

/** A stroke below what is known only in part. */
export function partsPath(points: readonly ChartPoint[], { width, height }: Frame): string {
  const room = width / points.length
  let path = ''
  for (const [i, { gap }] of points.entries())
    if (gap === 'some') path += `M${round(i * room)} ${height + 2}h${round(Math.max(1, room))}`
  return path
}

/** A line through what it is compared with, broken where there is nothing. */
export function beforePath(points: readonly ChartPoint[], frame: Frame): string {
  const { width, height, top } = frame
  const many = !fitsBars(points.length, frame)
  const values = points.map(({ before }) => before)
  const shown = many
    ? columnsOf(values, Math.max(1, Math.floor(width))).map((column) => column?.max ?? null)
    : values
  const room = width / shown.length
  let path = ''
  let drawing = false
  for (const [i, value] of shown.entries()) {
    if (value === null || value === undefined) {
      drawing = false
      continue
    }
    path += `${drawing ? 'L' : 'M'}${round((i + 0.5) * room)} ${round(height - (value / top) * height)}`
    drawing = true
  }
  return path
}
