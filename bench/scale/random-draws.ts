import type { Random } from '../random.ts'

/** Draws places, each as often as its weight says. */
export function drawBy(weights: readonly number[]): (random: Random) => number {
  const until = new Float64Array(weights.length)
  let sum = 0
  for (const [i, weight] of weights.entries()) {
    sum += weight
    until[i] = sum
  }
  return (random) => {
    const wanted = fraction(random) * sum
    let low = 0
    let high = until.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if (until[middle]! > wanted) high = middle
      else low = middle + 1
    }
    return low
  }
}

/** From 0 to below 1. */
function fraction(random: Random): number {
  return random.below(4_294_967_296) / 4_294_967_296
}

/**
 * When things happen that do not know of each other: the times, in milliseconds from the beginning, one after the other
 * (a Poisson process). Callers do not wait for each other's answers, so neither do these.
 */
export function* arrivals(ratePerSecond: number, seconds: number, random: Random): Generator<number> {
  if (ratePerSecond <= 0) return
  for (let at = 0; ; ) {
    at += (-Math.log(1 - fraction(random)) * 1000) / ratePerSecond
    if (at >= seconds * 1000) return
    yield at
  }
}
