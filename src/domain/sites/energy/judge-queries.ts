import type { Db } from '../../../platform/db.ts'
import { decimal, integer, row, text, texts } from '../../../platform/sql/row.ts'
import { type Params, sql } from '../../../platform/sql/sql.ts'
import { many, one, run } from '../../../platform/sql/statements.ts'
import { type Day, dayText } from './local-time.ts'
import type { Impossible } from './quarantine-queries.ts'
import { msAt } from './reading-queries.ts'

interface InRange {
  installerId: string
  installationId: string
  firstDay: string
  lastDay: string
}

// Since readings are judged, the time of a day's last one is kept with it.
const unjudged = ($: Params<InRange>) => sql`from panels p
    join panel_days d on d.installer_id = ${$.installerId} and d.panel_id = p.id
      and d.day between ${$.firstDay} and ${$.lastDay} and d.last_at is null
    where p.installer_id = ${$.installerId} and p.installation_id = ${$.installationId} and p.deleted_at is null`

/** How many days of an installation's panels were stored before readings were judged. */
export const countUnjudged = one(
  row<{ days: number }>({ days: integer }),
  ($: Params<InRange>) => sql`select count(*)::int as days ${unjudged($)}`,
)

export interface UnjudgedDay {
  panelId: string
  installationId: string
  capacityKw: string
  day: Day
  readings: number
  /** Of the whole installation, panels that are gone too. */
  everyPanelId: string[]
}

export const listUnjudged = many(
  row<UnjudgedDay>({
    panelId: text,
    installationId: text,
    capacityKw: decimal,
    day: integer,
    readings: integer,
    everyPanelId: texts,
  }),
  ($: Params<InRange>) => sql`
    select p.id as "panelId", p.installation_id as "installationId", p.capacity_kw as "capacityKw",
      d.day - date '1970-01-01' as day, d.readings,
      array(select id from panels where installer_id = ${$.installerId} and installation_id = ${$.installationId}
        order by id) as "everyPanelId"
    ${unjudged($)} order by p.id, d.day`,
)

const deleteReadingRows = run(
  ($: Params<{ installerId: string; readings: string }>) => sql`
    delete from readings r using json_to_recordset(${$.readings}) as i("panelId" text, at float8)
    where r.installer_id = ${$.installerId} and r.panel_id = i."panelId" and r.at = ${msAt('i.at')}`,
)

export const deleteReadings = (
  tx: Db,
  installerId: string,
  impossible: readonly Impossible[],
): Promise<void> => deleteReadingRows(tx, { installerId, readings: JSON.stringify(impossible) })

const deletePanelDay = run(
  ($: Params<{ installerId: string; panelId: string; day: string }>) => sql`
    delete from panel_days where installer_id = ${$.installerId} and panel_id = ${$.panelId} and day = ${$.day}`,
)

export const clearPanelDay = (tx: Db, installerId: string, panelId: string, day: Day): Promise<void> =>
  deletePanelDay(tx, { installerId, panelId, day: dayText(day) })

/** What was counted of how complete the months are, and days that have nothing any more. */
export const clearCoverage = run(
  ($: Params<{ installerId: string; installationId: string }>) => sql`with empty as (
      delete from installation_days
      where installer_id = ${$.installerId} and installation_id = ${$.installationId} and readings = 0
    )
    delete from coverage_months where installer_id = ${$.installerId} and installation_id = ${$.installationId}`,
)
