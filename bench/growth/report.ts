import type { Measured } from './measure.ts'

/** By how much a call may cost more at the last size than at the first. */
export const most = 1.3
/** Fewer pages than this are the height of an index, whatever is in it: one level more is no growth. */
const few = 40

interface Line {
  kind: string
  name: string
  buffers: number[]
  ms: number[]
  growth: number
  grows: string | null
  plan: string[]
  at: string
}

export interface Result {
  sizes: number[]
  lines: Line[]
  /** Names of what grows by more than it may. */
  tooMuch: string[]
}

/** By how much a cost has grown, beyond what is next to nothing. */
const growthOf = (first: number, last: number, least: number) => last / Math.max(first, least)

/** Pages that are only passed because an index has grown by a level: one more for each time it is gone down into. */
function levelsGained({ statements }: Measured, then: Levels, now: Levels): number {
  let pages = 0
  for (const { searches } of statements)
    for (const [index, times] of Object.entries(searches))
      pages += times * Math.max(0, (now[index] ?? 0) - (then[index] ?? 0))
  return pages
}

type Levels = Readonly<Record<string, number>>

export function report(
  sizes: readonly number[],
  bySize: ReadonlyMap<number, Measured[]>,
  levels: ReadonlyMap<number, Levels>,
): { text: string; result: Result } {
  const [first] = sizes
  const lines = bySize.get(first!)!.map(({ kind, name, grows }): Line => {
    const each = sizes.map((size) => bySize.get(size)!.find((one) => one.name === name))
    const buffers = each.map((one) => one?.buffers ?? Number.NaN)
    const ms = each.map((one) => one?.ms ?? Number.NaN)
    const worst = each.at(-1)?.statements[0]
    const last = each.at(-1)
    const gained = last ? levelsGained(last, levels.get(first!)!, levels.get(sizes.at(-1)!)!) : 0
    const growth = growthOf(buffers[0]!, buffers.at(-1)! - gained, few)
    return { kind, name, buffers, ms, growth, grows, plan: worst?.plan ?? [], at: worst?.at ?? '' }
  })
  const tooMuch = lines.filter(({ growth, grows }) => growth > most && !grows)
  const row = ({ kind, name, buffers, ms, growth, grows, plan, at }: Line) =>
    [
      growth > most ? (grows ? 'grows' : 'TOO MUCH') : 'ok',
      ...[kind, name, buffers.join(' → '), ms.map((one) => one.toFixed(1)).join(' → '), growth.toFixed(2)],
      plan.join(' + '),
      at.replace('src/domain/', ''),
    ].join(' | ')
  const text = [
    ...lines.toSorted((a, b) => a.growth - b.growth).map(row),
    `${tooMuch.length} of ${lines.length} grow too much`,
  ]
  return {
    text: text.join('\n'),
    result: { sizes: [...sizes], lines, tooMuch: tooMuch.map(({ name }) => name) },
  }
}
