/** How a batch of 1,000 readings is made up: so many panels, and so many quarters of an hour of each. */
interface Shape {
  panels: number
  times: number
  /** The month of the year in which its times begin, from 0: the shapes do not get in each other's way. */
  month: number
}

export const shapes = {
  /** A site sends what it kept for two and a half hours. */
  'ingest-readings': { panels: 100, times: 10, month: 0 },
  /** A fleet's gateway sends the last quarter of an hour of all it knows. */
  'ingest-readings-fleet': { panels: 1_000, times: 1, month: 4 },
  /** What one panel made in ten days, sent afterwards. */
  'ingest-readings-panel': { panels: 1, times: 1_000, month: 8 },
} satisfies Record<string, Shape>

export type ShapeName = keyof typeof shapes

export const shapeNames = Object.keys(shapes) as ShapeName[]

export interface Batch {
  panels: readonly string[]
  times: Date[]
}

const quarterMs = 900_000

/** The batch of a turn: the panels by turns, and when all have been on, their next times. */
export function batchOf(shape: ShapeName, year: number, panels: readonly string[], turn: number): Batch {
  const { panels: size, times, month } = shapes[shape]
  const groups = Math.floor(panels.length / size)
  const first = (turn % groups) * size
  const from = Date.UTC(year, month, 1) + Math.floor(turn / groups) * times * quarterMs
  return {
    panels: panels.slice(first, first + size),
    times: Array.from({ length: times }, (_, i) => new Date(from + i * quarterMs)),
  }
}
