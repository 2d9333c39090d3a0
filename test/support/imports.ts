import { type ImportState, importKind } from '../../src/domain/data/imports/import.ts'
import { importJob } from '../../src/domain/data/imports/import-job.ts'
import { findImport, insertImport, moveImport } from '../../src/domain/data/imports/queries.ts'
import type { LongJobDeps } from '../../src/domain/journal/long-jobs/long-job.ts'
import { findLatestLongJob } from '../../src/domain/journal/long-jobs/queries.ts'
import { workOnLongJob } from '../../src/domain/journal/long-jobs/work-on-long-job.ts'
import { newId } from '../../src/platform/ids.ts'
import type { TestDatabase } from './database.ts'
import type { Actors } from './factories.ts'

/** An import in some state, of a file that is not there; nobody works on it. */
export async function importIn(database: TestDatabase, of: Actors, state: ImportState): Promise<string> {
  const { db, actor, now } = of.as()
  const id = newId('imp')
  await insertImport(db, actor, now, {
    id,
    name: 'leads.csv',
    bytes: 100,
    storedBytes: 0,
    storeKey: 'nothere0000000000000',
    encoding: 'utf-8',
    delimiter: ',',
    header: ['First name'],
    headerHash: 'none',
    samples: [['Ada']],
    mapping: ['firstName'],
    rowsTotal: 1,
    contentHash: id,
    columnForms: [''],
  })
  await moveImport(db, { installerId: actor.installerId, id }, state)
  await database.rows('update imports set made = 1 where id = $1 returning id', [id])
  if (!(await findImport(db, actor, id))) throw new Error('the import is not there')
  return id
}

/** Does what was asked for about an import, as the server would. */
export async function workOnImport(
  deps: LongJobDeps,
  installerId: string,
  id: string,
  { signal = new AbortController().signal, onProgress = (_: number) => {} } = {},
): Promise<void> {
  const job = await findLatestLongJob(deps.db, { installerId, kind: importKind, subjectId: id })
  await workOnLongJob(deps, importJob, job!, { signal, onProgress })
}
