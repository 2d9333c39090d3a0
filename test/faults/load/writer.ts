import type { Rows } from '../bed/postgres.ts'
import type { Answer } from './caller.ts'

/** What a writer finds when it holds what it was answered against the database. */
export interface Held {
  checked: number
  /** Answered, and not there or not as it was answered. */
  lost: string[]
  /** There more often than it was written. */
  twice: string[]
}

/** Somebody who writes one kind of thing, and remembers what was answered. */
export interface Writer {
  kind: string
  /** One call, or a few that belong together. */
  write(): Promise<void>
  hold(rows: Rows): Promise<Held>
}

/** `unknown`: refused for the moment, or the connection broke. It may be there once or not at all, and never half. */
export type State = 'answered' | 'unknown'

export const stateOf = (answer: Answer): State => (answer && answer.status < 300 ? 'answered' : 'unknown')

/** Things that are told apart by a text of their own, each to be there once: how often each is, by that text. */
export function holdOnce(written: ReadonlyMap<string, State>, there: ReadonlyMap<string, number>): Held {
  const held: Held = { checked: written.size, lost: [], twice: [] }
  for (const [text, state] of written) {
    const count = there.get(text) ?? 0
    if (count > 1) held.twice.push(`${text}: ${count} times`)
    if (count === 0 && state === 'answered') held.lost.push(text)
  }
  return held
}

/** Each row has `text` and `n`. */
export const countsOf = (rows: { text: string; n: number }[]) =>
  new Map(rows.map(({ text, n }) => [text, Number(n)]))
