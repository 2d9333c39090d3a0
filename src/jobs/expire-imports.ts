import { expireImports } from '../domain/data/imports/expiry-queries.ts'
import { currentMs } from '../platform/clock.ts'
import type { Database } from '../platform/db.ts'
import type { Job } from './jobs.ts'

const retentionMs = 7 * 86_400_000
const expired = 'The file was kept for seven days and is gone. Upload it again.'

/** Lets go of files that companies brought with them and did not come back to. */
export function expiryJob(db: Database): Job {
  return {
    name: 'let go of files that were not imported',
    everyMs: 3_600_000,
    run: () => expireImports(db, new Date(currentMs() - retentionMs), expired),
  }
}
