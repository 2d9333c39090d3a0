import type { Db } from '../../../platform/db.ts'
import { instant, row, select, text } from '../../../platform/sql/row.ts'
import { type Params, sql } from '../../../platform/sql/sql.ts'
import { many, run } from '../../../platform/sql/statements.ts'
import type { Silence } from './measured-installation.ts'
import type { SilenceChange } from './silences.ts'

const silence = row<Silence & { installationId: string }>({
  installationId: text,
  beganAt: instant,
  endedAt: instant,
})

/** The silences of some installations that began after a time, in order. */
export const listSilences = many(
  silence,
  ($: Params<{ installerId: string; installationIds: readonly string[]; after: Date }>) => sql`
    select ${select(silence)} from reporting_silences
    where installer_id = ${$.installerId} and installation_id = any(${$.installationIds}::text[])
      and began_at >= ${$.after} order by began_at`,
)

const noteChanges = run(
  ($: Params<{ installerId: string; changes: string; at: Date; forgetBefore: Date }>) => sql`with changed as (
      select * from json_to_recordset(${$.changes}) as c("installationId" text, "beganAt" timestamptz, "ended" boolean)
    ), ended as (
      update reporting_silences r set ended_at = ${$.at} from changed c
      where r.installer_id = ${$.installerId} and r.installation_id = c."installationId" and r.began_at = c."beganAt"
        and c."ended" and r.ended_at is null
    ), forgotten as (
      delete from reporting_silences r using changed c
      where r.installer_id = ${$.installerId} and r.installation_id = c."installationId"
        and r.began_at < ${$.forgetBefore} and r.ended_at is not null
    )
    insert into reporting_silences (installer_id, installation_id, began_at)
    select ${$.installerId}, c."installationId", c."beganAt" from changed c where not c."ended" on conflict do nothing`,
)

/** Notes silences that have become long or are over, and forgets old ones. */
export async function noteSilences(
  db: Db,
  installerId: string,
  changes: readonly SilenceChange[],
  at: Date,
  forgetBefore: Date,
): Promise<void> {
  if (changes.length === 0) return
  await noteChanges(db, { installerId, changes: JSON.stringify(changes), at, forgetBefore })
}
