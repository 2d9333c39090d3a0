import { currentTime } from '../../../platform/clock.ts'
import { withinTransaction } from '../../../platform/within-transaction.ts'
import { updateLeads } from '../../deals/leads/update-leads.ts'
import type { LongJob, LongJobDeps } from '../../journal/long-jobs/long-job.ts'
import type { Import } from './import.ts'
import { listMade, noteUndone } from './lead-queries.ts'
import { contextFor } from './planning.ts'
import { moveImport } from './queries.ts'
import { lockWorkedOn } from './work-on.ts'

const atOnce = 100

/** Archives what an import made, some at a time; what it changed stays as it is. */
export async function* runUndo(
  deps: LongJobDeps,
  job: LongJob,
  begun: Import,
): AsyncGenerator<number, boolean> {
  for (;;) {
    const undone = await undoSome(deps, job, begun)
    if (typeof undone === 'boolean') return undone
    yield undone
  }
}

/** How many are undone by then; true where none was left, false where it is left to another. */
function undoSome({ db, directories }: LongJobDeps, job: LongJob, begun: Import): Promise<number | boolean> {
  return db.transaction(async (tx) => {
    const found = await lockWorkedOn(tx, job, begun)
    if (!found) return false
    const of = { installerId: found.installerId, importId: found.id }
    const made = await listMade(tx, { ...of, limit: atOnce })
    if (made.length === 0) {
      await moveImport(tx, found, 'undone', { endedAt: currentTime(), letGo: true })
      return true
    }
    const ctx = contextFor({ db: withinTransaction(tx), directories }, found)
    await updateLeads(
      ctx,
      made.map(({ id }) => id),
      { archived: true },
    )
    await noteUndone(tx, of, made)
    return found.undone + made.length
  })
}
