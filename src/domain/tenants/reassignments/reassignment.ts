import type { LongJob } from '../../journal/long-jobs/long-job.ts'

/** A member's open work on its way to another. Its subject is whose work it was. */
export interface Reassignment extends LongJob {
  input: { toMemberId: string }
}

export const reassignmentKind = 'reassignment'
