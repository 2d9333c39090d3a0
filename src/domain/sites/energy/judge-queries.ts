import type { Db, Statement } from '../../../platform/db.ts'
import { type Day, type DayRange, dayText } from './local-time.ts'
import type { Impossible } from './quarantine-queries.ts'

// Since readings are judged, the time of a day's last one is kept with it.
const unjudged = `from panels p join panel_days d on d.installer_id = $1 and d.panel_id = p.id
    and d.day between $3 and $4 and d.last_at is null
  where p.installer_id = $1 and p.installation_id = $2 and p.deleted_at is null`

const countStatement: Statement = {
  name: 'count-unjudged-days',
  text: `select count(*)::int as days ${unjudged}`,
}

/** How many days of an installation's panels were stored before readings were judged. */
export async function countUnjudged(
  db: Db,
  installerId: string,
  installationId: string,
  { first, last }: DayRange,
): Promise<number> {
  const values = [installerId, installationId, dayText(first), dayText(last)]
  const [row] = await db.query<{ days: number }>(countStatement, values)
  return row!.days
}

export interface UnjudgedDay {
  panelId: string
  installationId: string
  capacityKw: string
  day: Day
  readings: number
  /** Of the whole installation, panels that are gone too. */
  everyPanelId: string[]
}

const listStatement: Statement = {
  name: 'list-unjudged-days',
  text: `select p.id as "panelId", p.installation_id as "installationId", p.capacity_kw as "capacityKw",
      d.day - date '1970-01-01' as day, d.readings,
      array(select id from panels where installer_id = $1 and installation_id = $2 order by id) as "everyPanelId"
    ${unjudged} order by p.id, d.day`,
}

export function listUnjudged(
  tx: Db,
  installerId: string,
  installationId: string,
  { first, last }: DayRange,
): Promise<UnjudgedDay[]> {
  const values = [installerId, installationId, dayText(first), dayText(last)]
  return tx.query<UnjudgedDay>(listStatement, values)
}

const removeStatement: Statement = {
  name: 'remove-impossible-readings',
  text: `delete from readings r using json_to_recordset($2) as i("panelId" text, at float8)
    where r.installer_id = $1 and r.panel_id = i."panelId" and r.at = to_timestamp(i.at / 1000)::timestamptz(3)`,
}

export async function removeReadings(
  tx: Db,
  installerId: string,
  impossible: readonly Impossible[],
): Promise<void> {
  await tx.query(removeStatement, [installerId, JSON.stringify(impossible)])
}

const clearDayStatement: Statement = {
  name: 'clear-panel-day',
  text: 'delete from panel_days where installer_id = $1 and panel_id = $2 and day = $3',
}

export async function clearPanelDay(tx: Db, installerId: string, panelId: string, day: Day): Promise<void> {
  await tx.query(clearDayStatement, [installerId, panelId, dayText(day)])
}

const clearInstallationDaysStatement: Statement = {
  name: 'clear-empty-days-and-coverage',
  text: `with empty as (
      delete from installation_days where installer_id = $1 and installation_id = $2 and readings = 0
    )
    delete from coverage_months where installer_id = $1 and installation_id = $2`,
}

/** What was counted of how complete the months are, and days that have nothing any more. */
export async function clearCoverage(tx: Db, installerId: string, installationId: string): Promise<void> {
  await tx.query(clearInstallationDaysStatement, [installerId, installationId])
}
