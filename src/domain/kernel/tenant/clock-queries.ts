import type { Db, Statement } from '../../../platform/db.ts'

const insertClockStatement: Statement = {
  name: 'insert-clock',
  text: 'insert into tenant_clocks (installer_id, now) values ($1, $2)',
}

export async function insertClock(db: Db, installerId: string, now: Date): Promise<void> {
  await db.query(insertClockStatement, [installerId, now])
}

const lockTenantStatement: Statement = {
  name: 'lock-tenant',
  text: 'select now from tenant_clocks where installer_id = $1 for update',
}

/** Takes the tenant's lock until the transaction ends; answers the tenant's time. */
export async function lockTenant(tx: Db, installerId: string): Promise<Date> {
  const [row] = await tx.query<{ now: Date }>(lockTenantStatement, [installerId])
  return row!.now
}

const bumpDirectoryStatement: Statement = {
  name: 'bump-directory',
  text: 'update tenant_clocks set directory_version = directory_version + 1 where installer_id = $1',
}

/** Says that companies, members or ladders of the tenant changed; takes the tenant's lock. */
export async function bumpDirectory(tx: Db, installerId: string): Promise<void> {
  await tx.query(bumpDirectoryStatement, [installerId])
}

const directoryVersionStatement: Statement = {
  shared: 'read',
  name: 'directory-version',
  text: 'select directory_version as version from tenant_clocks where installer_id = $1',
}

export async function directoryVersion(db: Db, installerId: string): Promise<number> {
  const [row] = await db.query<{ version: number }>(directoryVersionStatement, [installerId])
  return row!.version
}

const advanceClock: Statement = {
  name: 'advance-clock',
  text: `update tenant_clocks set now = greatest($2::timestamptz(3), now + interval '1 ms') + ($3 - 1) * interval '1 ms'
    where installer_id = $1 returning now - ($3 - 1) * interval '1 ms' as at`,
}

/** Takes `count` times of the tenant's clock and answers the first; they are a millisecond apart. */
export async function takeTimes(tx: Db, installerId: string, now: Date, count: number): Promise<Date> {
  const [row] = await tx.query<{ at: Date }>(advanceClock, [installerId, now.toISOString(), count])
  return row!.at
}
