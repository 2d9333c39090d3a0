import type { LongJob } from '../../journal/long-jobs/long-job.ts'
import type { MonthOutcome } from '../months/bill-month.ts'

/** A month that somebody has billed: of the whole tenant by the installer's people, else of their company. */
export interface BillingRun extends LongJob {
  /** The month's first day. */
  input: { month: string }
}

/** Of the long work that bills a month. Its subject is the company, which has one run at a time. */
export const runKind = 'billing_run'

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

export function runOutcome({ outcome, invoiceId }: MonthOutcome): RunOutcome {
  return outcome === 'skipped' && invoiceId !== null ? 'billed' : outcome
}
