import type { AttemptOutcome, Counted, Taken } from '../platform/attempt-limits.ts'

/** Something to be counted by the primary: a call of a key, a try, or what became of one. */
export type LimitAsk =
  | string
  | { count: readonly Counted[] }
  | { taken: readonly Taken[]; outcome: AttemptOutcome }

/** The answer to a call: whether it passes, how many are left, and seconds. */
export type TakeAnswer = [allowed: 0 | 1, remaining: number, resetSeconds: number]
export type LimitAnswer = TakeAnswer | { taken: Taken[] } | { waitMs: number }

export type ToPrimary =
  | { type: 'ready' }
  | { type: 'failed'; reason: string }
  | { type: 'limits'; asks: LimitAsk[] }
  | { type: 'metrics'; id: number }
  | { type: 'collected'; id: number; metrics: object[] }

export type ToWorker =
  | { type: 'stop' }
  | { type: 'hurry' }
  | { type: 'limits'; answers: LimitAnswer[] }
  | { type: 'collect'; id: number }
  | { type: 'metrics'; id: number; text: string }

/** Which worker a process is, from 1; null where it is none of ours. */
export function workerNumber(env: Record<string, string | undefined>): number | null {
  return process.send && env['SUNSTEAD_WORKER'] ? Number(env['SUNSTEAD_WORKER']) : null
}
