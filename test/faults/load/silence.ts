import { setTimeout as sleep } from 'node:timers/promises'
import type { Load } from './load.ts'

export interface Silence {
  kind: string
  ms: number
}

const lookMs = 20

/** For how long at most a kind of call did not succeed within the time to come, besides those that cannot. */
export async function longestSilence(
  { caller, kinds }: Load,
  besides: string[],
  withinMs: number,
): Promise<Silence> {
  const begun = performance.now()
  let longest: Silence = { kind: '', ms: 0 }
  for (let now = begun; now < begun + withinMs; now = performance.now()) {
    for (const kind of kinds) {
      const ms = now - Math.max(begun, caller.lastGood.get(kind) ?? 0)
      if (!besides.includes(kind) && ms > longest.ms) longest = { kind, ms }
    }
    await sleep(lookMs)
  }
  return longest
}
