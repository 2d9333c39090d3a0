/** Sorted by value. Typed, as that sorts without a comparison function: the finder does little else. */
export function sorted(values: readonly number[]): Float64Array {
  return new Float64Array(values).sort()
}

/** The value below which this part of the values lies; NaN of none. */
export function quantile(values: readonly number[], part: number): number {
  return quantileOf(sorted(values), part)
}

export function quantileOf(inOrder: Float64Array, part: number): number {
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
export function medianWithout(inOrder: Float64Array, place: number): number {
  const last = inOrder.length - (place < 0 ? 1 : 2)
  const lower = last >> 1
  const upper = (last + 1) >> 1
  const shifted = (n: number) => inOrder[place >= 0 && n >= place ? n + 1 : n] ?? Number.NaN
  return lower === upper ? shifted(lower) : (shifted(lower) + shifted(upper)) / 2
}
