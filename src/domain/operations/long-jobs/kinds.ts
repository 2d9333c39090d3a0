import { runJob } from '../../billing/runs/run-job.ts'
import { importJob } from '../../data/imports/import-job.ts'
import type { LongJobKind } from '../../journal/long-jobs/long-job.ts'
import { emptyingJob } from '../../tenants/ladders/emptying-job.ts'
import { reassignmentJob } from '../../tenants/reassignments/reassignment-job.ts'

export const longJobKinds: LongJobKind[] = [importJob, runJob, reassignmentJob, emptyingJob]
