import type { Db, Statement } from '../../../platform/db.ts'
import type { SilenceChange } from './silences.ts'
import type { Silence } from './site.ts'

const listStatement: Statement = {
  name: 'silences-of-installations',
  text: `select installation_id as "installationId", began_at as "beganAt", ended_at as "endedAt" from reporting_silences
    where installer_id = $1 and installation_id = any($2) and began_at >= $3 order by began_at`,
}

/** The silences of some installations that began after a time, in order. */
export function listSilences(
  db: Db,
  installerId: string,
  installationIds: readonly string[],
  after: Date,
): Promise<(Silence & { installationId: string })[]> {
  return db.query(listStatement, [installerId, installationIds, after.toISOString()])
}

const noteStatement: Statement = {
  name: 'note-silences',
  text: `with changed as (
      select * from json_to_recordset($2) as c("installationId" text, "beganAt" timestamptz, "ended" boolean)
    ), ended as (
      update reporting_silences r set ended_at = $3 from changed c
      where r.installer_id = $1 and r.installation_id = c."installationId" and r.began_at = c."beganAt"
        and c."ended" and r.ended_at is null
    ), forgotten as (
      delete from reporting_silences r using changed c
      where r.installer_id = $1 and r.installation_id = c."installationId" and r.began_at < $4 and r.ended_at is not null
    )
    insert into reporting_silences (installer_id, installation_id, began_at)
    select $1, c."installationId", c."beganAt" from changed c where not c."ended" on conflict do nothing`,
}

/** Notes silences that have become long or are over, and forgets old ones. */
export async function noteSilences(
  db: Db,
  installerId: string,
  changes: readonly SilenceChange[],
  at: Date,
  forgetBefore: Date,
): Promise<void> {
  if (changes.length === 0) return
  const values = [installerId, JSON.stringify(changes), at.toISOString(), forgetBefore.toISOString()]
  await db.query(noteStatement, values)
}
