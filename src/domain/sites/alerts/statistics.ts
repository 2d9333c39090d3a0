/** Up to here putting each in its place is quicker than to call the engine's sort: an installation has few panels. */
const few = 80

/** Sorted by value, in a plain array: a typed one of more than a handful costs more to make than to sort. */
export function sorted(values: readonly number[]): number[] {
  if (values.length > few) return [...new Float64Array(values).sort()]
  const inOrder = values.slice()
  for (let i = 1; i < inOrder.length; i++) {
    const value = inOrder[i]!
    let at = i
    for (; at > 0 && comesAfter(inOrder[at - 1]!, value); at--) inOrder[at] = inOrder[at - 1]!
    inOrder[at] = value
  }
  return inOrder
}

/** What is no number comes last, as the engine has it. */
function comesAfter(one: number, other: number): boolean {
  return one > other || (Number.isNaN(one) && !Number.isNaN(other))
}

/** The value below which this part of the values lies; NaN of none. */
export function quantile(values: readonly number[], part: number): number {
  return quantileOf(sorted(values), part)
}

export function quantileOf(inOrder: readonly number[], part: number): number {
  const at = (inOrder.length - 1) * part
  const below = Math.floor(at)
  const lower = inOrder[below] ?? Number.NaN
  const upper = inOrder[below + 1] ?? lower
  return lower + (upper - lower) * (at - below)
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** The median of sorted values without the one at a place; -1: of all of them. */
export function medianWithout(inOrder: readonly number[], place: number): number {
  const last = inOrder.length - (place < 0 ? 1 : 2)
  const lower = valueWithout(inOrder, place, last >> 1)
  const upper = valueWithout(inOrder, place, (last + 1) >> 1)
  return lower === upper ? lower : (lower + upper) / 2
}

/** The same of the lower quarter. */
export function lowWithout(inOrder: readonly number[], place: number): number {
  const last = inOrder.length - (place < 0 ? 1 : 2)
  return last < 0 ? Number.NaN : valueWithout(inOrder, place, last >> 2)
}

/** Where a value stands among sorted ones; -1 where it does not. */
export function placeOf(inOrder: readonly number[], value: number): number {
  let from = 0
  for (let to = inOrder.length; from < to; ) {
    const middle = (from + to) >> 1
    if (inOrder[middle]! < value) from = middle + 1
    else to = middle
  }
  return inOrder[from] === value ? from : -1
}

function valueWithout(inOrder: readonly number[], place: number, n: number): number {
  return inOrder[place >= 0 && n >= place ? n + 1 : n] ?? Number.NaN
}

/** How far values lie from their median, at the median: unlike a standard deviation it is not moved by a few that are far off. */
export function medianDeviation(values: readonly number[]): number {
  const middle = median(values)
  return median(values.map((value) => Math.abs(value - middle)))
}
