import type { MonthOutcome } from '../months/bill-month.ts'

/** A month that somebody has billed: of the whole tenant by the installer's people, else of their company. */
export interface BillingRun {
  installerId: string
  id: string
  companyId: string
  /** Its first day. */
  month: string
  state: 'running' | 'done'
  /** Plans, when it began. */
  plans: number
  actorName: string
  createdAt: Date
  endedAt: Date | null
}

/** As the report tells it: what was billed before is told from what there is nothing to bill of. */
export type RunOutcome = MonthOutcome['outcome'] | 'billed'
export const runOutcomes = [
  'drafted',
  'redrafted',
  'withdrawn',
  'unchanged',
  'held',
  'billed',
  'skipped',
  'failed',
] as const satisfies readonly RunOutcome[]

/** For how long whoever works on it may say nothing before another takes over. */
export const claimMs = 20_000

export function runOutcome({ outcome, invoiceId }: MonthOutcome): RunOutcome {
  return outcome === 'skipped' && invoiceId !== null ? 'billed' : outcome
}
