import type pg from 'pg'
import { boolean } from '../sql/row.ts'
import { raw, sql } from '../sql/sql.ts'
import { scalar } from '../sql/statements.ts'
import { rowsOf } from './session.ts'

// Held by the session that backs up, from before its snapshot until its files are copied.
const lock = '7310015, 1'

export async function takeBackupLock(client: pg.Client): Promise<void> {
  const [row] = await rowsOf<{ taken: boolean }>(client, `select pg_try_advisory_lock(${lock}) as taken`)
  if (!row!.taken) throw new Error('Another backup of this database is under way. Wait for it to end.')
}

/**
 * Whether a backup may still need files whose records are gone. Asked after the record was taken away: a backup that
 * begins later does not know it any more.
 */
export const backupUnderWay = scalar(
  { underWay: boolean },
  () => sql`
    select exists (select from pg_locks l join pg_database d on d.oid = l.database
      where d.datname = current_database() and l.locktype = 'advisory' and (l.classid, l.objid) = (${raw(lock)})
        and l.granted
    ) as "underWay"`,
)
