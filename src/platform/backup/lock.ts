import type pg from 'pg'
import type { Db, Statement } from '../db.ts'
import { rowsOf } from './session.ts'

// Held by the session that backs up, from before its snapshot until its files are copied.
const lock = '7310015, 1'

export async function takeBackupLock(client: pg.Client): Promise<void> {
  const [row] = await rowsOf<{ taken: boolean }>(client, `select pg_try_advisory_lock(${lock}) as taken`)
  if (!row!.taken) throw new Error('Another backup of this database is under way. Wait for it to end.')
}

const underWayStatement: Statement = {
  name: 'backup-under-way',
  text: `select exists (select from pg_locks l join pg_database d on d.oid = l.database
    where d.datname = current_database() and l.locktype = 'advisory' and (l.classid, l.objid) = (${lock}) and l.granted
    ) as "underWay"`,
}

/**
 * Whether a backup may still need files whose records are gone. Asked after the record was taken away: a backup that
 * begins later does not know it any more.
 */
export async function backupUnderWay(db: Db): Promise<boolean> {
  const [row] = await db.query<{ underWay: boolean }>(underWayStatement, [])
  return row!.underWay
}
