import { currentTime } from '../../../platform/clock.ts'
import { withinTransaction } from '../../../platform/within-transaction.ts'
import { releaseContents } from '../../deals/files/release-contents.ts'
import type { LongJob, LongJobDeps } from '../../journal/long-jobs/long-job.ts'
import { lockTenant } from '../../kernel/tenant/clock-queries.ts'
import type { Import } from './import.ts'
import { learnSize } from './lead-queries.ts'
import { contextFor, planningOf, problemsOf } from './planning.ts'
import { advanceImport, moveImport } from './queries.ts'
import { rowBatches } from './read-rows.ts'
import type { FileRow } from './row-values.ts'
import { lockWorkedOn } from './work-on.ts'
import { countOutcomes, writeBatch } from './write-batch.ts'

/**
 * Makes and changes what the file says, from the row on that it has reached. The place is kept in the transaction of
 * each batch, so whoever goes on after a crash does nothing twice; it ends where the import is no longer to run.
 */
export async function* runImport(
  deps: LongJobDeps,
  job: LongJob,
  begun: Import,
): AsyncGenerator<number, boolean> {
  const { db, store } = deps
  let reached = begun.rowReached
  let rowsDone = begun.rowsDone
  for await (const rows of rowBatches(store, begun)) {
    if (!(await runBatch(deps, job, begun, reached, rows))) return false
    if (reached === begun.rowReached) await learnSize(db)
    reached = rows.at(-1)!.row
    rowsDone += rows.length
    yield rowsDone
  }
  const done = await db.transaction(async (tx) => {
    const found = await lockWorkedOn(tx, job, begun)
    if (found?.rowReached !== reached) return false
    await moveImport(tx, begun, 'done', { endedAt: currentTime(), letGo: true })
    return true
  })
  if (done && begun.storeKey !== null) await releaseContents(db, store, begun.installerId, [begun.storeKey])
  return done
}

/** False where somebody stopped the import, or another process works on it. */
function runBatch(
  { db, directories }: LongJobDeps,
  job: LongJob,
  begun: Import,
  reached: number,
  rows: FileRow[],
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const found = await lockWorkedOn(tx, job, begun)
    if (found?.rowReached !== reached) return false
    const { installerId } = begun
    await lockTenant(tx, installerId)
    const directory = await directories.current(tx, installerId)
    const ctx = contextFor({ db: withinTransaction(tx), directories }, found)
    const planning = await planningOf(ctx, directory, found)
    const done = await writeBatch(planning, { db: tx, directory, proven: false }, found.id, rows)
    await advanceImport(tx, found, {
      rowReached: rows.at(-1)!.row,
      rows: rows.length,
      counts: countOutcomes(done.map(({ plan }) => plan.outcome)),
      problems: done.flatMap(({ row, plan }) => problemsOf(found, row, plan.problems)),
      problemsBefore: found.problems,
      preview: null,
    })
    return true
  })
}
