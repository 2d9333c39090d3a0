/** One place of a chart, from left to right. */
export interface ChartPoint {
  /** Unique, and in order. */
  at: number
  /** Null where nothing is known: no bar is drawn, and no zero. */
  value: number | null
  /** What is missing there and should not be. */
  gap?: 'some' | 'all' | undefined
  /** What it is compared with. */
  before?: number | null | undefined
}

/** A round number that is not less than any value, and the marks up to it. */
export function marksUpTo(max: number, wanted = 4): number[] {
  if (!(max > 0)) return [0, 1]
  const rough = max / wanted
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= rough)!
  const count = Math.ceil(max / step - 1e-9)
  return Array.from({ length: count + 1 }, (_, i) => Number((i * step).toPrecision(6)))
}

/** About so many places, evenly apart. */
export function evenly(count: number, wanted: number): number[] {
  const step = Math.max(1, Math.ceil(count / wanted))
  return Array.from({ length: Math.ceil(count / step) }, (_, i) => i * step)
}

export interface Column {
  least: number
  max: number
}

/** More points than pixels are drawn as the least and the most of each pixel's points: what stands out stays. */
export function columnsOf(values: readonly (number | null | undefined)[], width: number): (Column | null)[] {
  const columns = new Array<Column | null>(width).fill(null)
  for (const [i, value] of values.entries()) {
    if (value === null || value === undefined) continue
    const x = Math.min(width - 1, Math.floor((i * width) / values.length))
    const column = columns[x]
    if (!column) columns[x] = { least: value, max: value }
    else {
      column.least = Math.min(column.least, value)
      column.max = Math.max(column.max, value)
    }
  }
  return columns
}

/** Neighbours with a gap are one: from the first place to behind the last. */
export function gapsOf(points: readonly ChartPoint[]): [from: number, to: number][] {
  const gaps: [number, number][] = []
  for (const [i, { gap }] of points.entries()) {
    if (gap !== 'all') continue
    const last = gaps.at(-1)
    if (last?.[1] === i) last[1] = i + 1
    else gaps.push([i, i + 1])
  }
  return gaps
}
