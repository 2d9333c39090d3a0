import { expireImports } from '../domain/data/imports/claim-queries.ts'
import { workOnNext } from '../domain/data/imports/work-on-import.ts'
import type { Context } from '../domain/kernel/context.ts'
import type { FileStore } from '../platform/file-store.ts'
import type { Job } from './jobs.ts'

const keptMs = 7 * 86_400_000
const expired = 'The file was kept for seven days and is gone. Upload it again.'

/** Works on files that companies bring with them, one at a time, and lets go of those nobody came back to. */
export function importJobs(base: Pick<Context, 'db' | 'directories'>, store: FileStore): Job[] {
  return [
    {
      name: 'work on imports',
      everyMs: 500,
      run: async (signal) => {
        while (!signal.aborted && (await workOnNext(base, store, signal)));
      },
    },
    {
      name: 'let go of files that were not imported',
      everyMs: 3_600_000,
      run: () => expireImports(base.db, new Date(Date.now() - keptMs), expired),
    },
  ]
}
