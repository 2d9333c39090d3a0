import type { FileStore } from '../../../platform/file-store.ts'
import { withinTransaction } from '../../../platform/within-transaction.ts'
import { letGoOfContents } from '../../deals/files/let-go.ts'
import type { Context } from '../../kernel/context.ts'
import { lockTenant } from '../../kernel/tenant/clock-queries.ts'
import { claimMs, type Import } from './import.ts'
import { learnSize } from './lead-queries.ts'
import { contextFor, planningOf, problemsOf } from './planning.ts'
import { advanceImport, lockImport, moveImport } from './queries.ts'
import { rowBatches } from './read-rows.ts'
import type { FileRow } from './row-values.ts'
import { countOutcomes, writeBatch } from './write-batch.ts'

type Base = Pick<Context, 'db' | 'directories'>

/**
 * Makes and changes what the file says, from the row on that it has reached. The place is kept in the transaction of
 * each batch, so whoever goes on after a crash does nothing twice; it ends where the import is no longer to run.
 */
export async function runImport(
  base: Base,
  store: FileStore,
  begun: Import,
  signal: AbortSignal,
  onProgress: (done: number) => void = () => {},
): Promise<void> {
  let reached = begun.rowReached
  let rowsDone = begun.rowsDone
  for await (const rows of rowBatches(store, begun)) {
    if (signal.aborted || !(await runBatch(base, begun, reached, rows))) return
    if (reached === begun.rowReached) await learnSize(base.db)
    reached = rows.at(-1)!.row
    rowsDone += rows.length
    onProgress(rowsDone)
  }
  let done = false
  await base.db.transaction(async (tx) => {
    const found = await lockImport(tx, begun, begun.id)
    if (found?.state !== 'running' || found.rowReached !== reached) return
    const now = new Date()
    await moveImport(tx, begun, 'done', { claimedUntil: now, endedAt: now, letGo: true })
    done = true
  })
  if (done && begun.storeKey !== null)
    await letGoOfContents(base.db, store, begun.installerId, [begun.storeKey])
}

/** False where somebody stopped the import, or another process works on it. */
function runBatch(base: Base, begun: Import, reached: number, rows: FileRow[]): Promise<boolean> {
  return base.db.transaction(async (tx) => {
    const found = await lockImport(tx, begun, begun.id)
    if (found?.state !== 'running' || found.rowReached !== reached) return false
    const { installerId } = begun
    await lockTenant(tx, installerId)
    const directory = await base.directories.current(tx, installerId)
    const ctx = contextFor({ ...base, db: withinTransaction(tx) }, found)
    const planning = await planningOf(ctx, directory, found)
    const done = await writeBatch(planning, { db: tx, directory, proven: false }, found.id, rows)
    await advanceImport(tx, found, {
      rowReached: rows.at(-1)!.row,
      rows: rows.length,
      counts: countOutcomes(done.map(({ plan }) => plan.outcome)),
      problems: done.flatMap(({ row, plan }) => problemsOf(found, row, plan.problems)),
      problemsBefore: found.problems,
      claimedUntil: new Date(Date.now() + claimMs),
      preview: null,
    })
    return true
  })
}
