import type { Measured } from './measure.ts'

/** By how much a call may cost more at the last size than at the first. */
export const most = 1.3
/** What takes less than this, a millisecond or so, is not asked whether it grows. */
const few = 300
const fewMs = 5

/** From the first size at which it is there to the last, and from the one before the last: what does not grow there looks at a bounded number. */
interface Growth {
  all: number
  last: number
}

interface Line {
  kind: string
  name: string
  buffers: number[]
  ms: number[]
  byPages: Growth
  byTime: Growth
  /** What both may be. */
  most: number
  grows: string | null
  plan: string[]
  at: string
}

export interface Result {
  sizes: number[]
  lines: Line[]
  /** Names of what goes on growing and does not say why: by pages, and by time. */
  tooMuch: string[]
  tooSlow: string[]
}

/** Whether it stays within what it may, is bounded, grows for a reason that it names, or grows. */
export function verdictOf(
  { most, grows }: Line,
  { all, last }: Growth,
): 'within' | 'bounded' | 'named' | 'grows' {
  if (all <= most) return 'within'
  if (grows) return 'named'
  return last <= most ? 'bounded' : 'grows'
}

/** By how much a cost has grown, beyond what is next to nothing. */
const growthOf = (first: number, last: number, least: number) => last / Math.max(first, least)

/** Whether the last takes longer than the first by more than it may. */
export function seemsSlower(found: readonly Measured[]): boolean {
  const [first, last] = [found[0]!, found.at(-1)!]
  return growthOf(first.ms, last.ms, fewMs) > most
}

/** Pages that are only passed because an index has grown by a level: one more for each time it is gone down into. */
function levelsGained({ statements }: Measured, then: Levels, now: Levels): number {
  let pages = 0
  for (const { searches } of statements)
    for (const [index, times] of Object.entries(searches))
      pages += times * Math.max(0, (now[index] ?? 0) - (then[index] ?? 0))
  return pages
}

type Levels = Readonly<Record<string, number>>

/** A cost at each size; at those where it is not there, none. */
export const joined = (costs: readonly number[], digits: number): string =>
  costs.map((cost) => (Number.isNaN(cost) ? '–' : cost.toFixed(digits))).join(' → ')

export function report(
  sizes: readonly number[],
  bySize: ReadonlyMap<number, Measured[]>,
  levels: ReadonlyMap<number, Levels>,
): { text: string; result: Result } {
  const [before, last] = [sizes.at(-2)!, sizes.at(-1)!]
  const at = (size: number, name: string) => bySize.get(size)!.find((one) => one.name === name)
  const lines = bySize.get(last)!.map((now): Line => {
    const { kind, name, grows, beside } = now
    const each = sizes.map((size) => at(size, name))
    const [worst] = now.statements
    const from = (then: Measured | undefined, since: number) => {
      const gained = beside ? 0 : levelsGained(now, levels.get(since)!, levels.get(last)!)
      return {
        byPages: growthOf(then?.buffers ?? Number.NaN, now.buffers - gained, few),
        byTime: growthOf(then?.ms ?? Number.NaN, now.ms, fewMs),
      }
    }
    const first = sizes.find((_, i) => each[i])!
    const all = beside ? from(at(last, beside.call), last) : from(at(first, name), first)
    const goingOn = beside ? all : from(at(before, name), before)
    return {
      ...{ kind, name, grows, most: beside?.most ?? most },
      buffers: each.map((one) => one?.buffers ?? Number.NaN),
      ms: each.map((one) => one?.ms ?? Number.NaN),
      byPages: { all: all.byPages, last: goingOn.byPages },
      byTime: { all: all.byTime, last: goingOn.byTime },
      ...{ plan: worst?.plan ?? [], at: worst?.at ?? '' },
    }
  })
  const row = (line: Line) =>
    [
      ...[verdictOf(line, line.byPages), verdictOf(line, line.byTime), line.kind, line.name],
      ...[joined(line.buffers, 0), joined(line.ms, 1)],
      ...[line.byPages.all.toFixed(2), line.byTime.all.toFixed(2), line.plan.join(' + ')],
      line.at.replace('src/domain/', ''),
    ].join(' | ')
  const those = (of: (line: Line) => Growth, wanted: ReturnType<typeof verdictOf>) =>
    lines.filter((line) => verdictOf(line, of(line)) === wanted).map(({ name }) => name)
  const told = (how: string, of: (line: Line) => Growth) =>
    `${how}: ${(['within', 'bounded', 'named', 'grows'] as const)
      .map((verdict) => `${those(of, verdict).length} ${verdict}`)
      .join(', ')}`
  const text = [
    ...lines.toSorted((a, b) => a.byPages.all - b.byPages.all).map(row),
    told(`of ${lines.length} by pages`, ({ byPages }) => byPages),
    told('by time', ({ byTime }) => byTime),
  ]
  return {
    text: text.join('\n'),
    result: {
      ...{ sizes: [...sizes], lines },
      tooMuch: those(({ byPages }) => byPages, 'grows'),
      tooSlow: those(({ byTime }) => byTime, 'grows'),
    },
  }
}
