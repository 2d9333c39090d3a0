import type { Db } from '../../../platform/db.ts'
import { createLongJob } from '../../journal/long-jobs/create-long-job.ts'
import type { LongJob } from '../../journal/long-jobs/long-job.ts'
import { cancelLongJobsOf, isRunning } from '../../journal/long-jobs/queries.ts'
import type { Actor } from '../../kernel/context.ts'
import { type Import, importKind } from './import.ts'
import { lockImport } from './queries.ts'

/** Has something done with an import that the transaction holds, instead of what was being done with it. */
export async function workOn(
  tx: Db,
  actor: Actor,
  now: Date,
  { installerId, id, companyId }: Import,
  total: number,
  heldUntil?: Date,
): Promise<void> {
  const kind = importKind
  await cancelLongJobsOf(tx, { installerId, kind, subjectId: id, now })
  await createLongJob(tx, actor, now, { kind, subjectId: id, companyId, total, heldUntil })
}

/** An import as it is now, held until the transaction ends; null where it is no longer this job that works on it. */
export async function lockWorkedOn(tx: Db, job: LongJob, begun: Import): Promise<Import | null> {
  const found = await lockImport(tx, begun, begun.id)
  return found?.state === begun.state && (await isRunning(tx, job)) ? found : null
}
