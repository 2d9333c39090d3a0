import { currentTime } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db.ts'
import type { LongJob, LongJobDeps, LongJobKind } from '../../journal/long-jobs/long-job.ts'
import { importKind } from './import.ts'
import { findImport, moveImport } from './queries.ts'
import { runCheck } from './run-check.ts'
import { runImport } from './run-import.ts'
import { runUndo } from './run-undo.ts'
import { haltImport } from './stop-import.ts'
import { lockWorkedOn } from './work-on.ts'

/** Checks, runs or undoes an import, as its state says. */
export const importJob: LongJobKind = {
  kind: importKind,
  action: 'imports.run',
  work,
  stopping: (ctx, tx, { subjectId }) => haltImport(ctx, tx, subjectId),
  failing,
}

async function* work(deps: LongJobDeps, job: LongJob): AsyncGenerator<number, boolean> {
  const found = await findImport(deps.db, job, job.subjectId)
  if (found?.state === 'checking') return yield* runCheck(deps, job, found)
  if (found?.state === 'running') return yield* runImport(deps, job, found)
  if (found?.state === 'undoing') return yield* runUndo(deps, job, found)
  return true
}

/** What a run has made by then can be undone, as that of one that was stopped. */
async function failing(tx: Db, job: LongJob, failure: string): Promise<void> {
  const begun = await findImport(tx, job, job.subjectId)
  if (!begun || !(await lockWorkedOn(tx, job, begun))) return
  const state = begun.state === 'checking' ? 'failed' : 'stopped'
  await moveImport(tx, begun, state, { endedAt: currentTime(), failure })
}
