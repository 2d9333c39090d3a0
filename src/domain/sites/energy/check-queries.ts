import type { Db, Statement } from '../../../platform/db.ts'
import { type Day, type DayRange, dayText } from './local-time.ts'

export interface CheckedInstallation {
  id: string
  timezone: string
}

const installationsStatement: Statement = {
  name: 'installations-to-check',
  text: `select id, timezone from installations where installer_id = $1 and id > $2 order by id limit $3`,
}

/** A tenant's installations in order, those after one. */
export function listInstallationsToCheck(
  db: Db,
  installerId: string,
  after: string,
  limit: number,
): Promise<CheckedInstallation[]> {
  return db.query(installationsStatement, [installerId, after, limit])
}

const sampleStatement: Statement = {
  name: 'installations-to-sample',
  text: `select id, timezone from installations where installer_id = $1 order by md5(id || $2) limit $3`,
}

/** Some of a tenant's installations, others for another seed. */
export function sampleInstallations(
  db: Db,
  installerId: string,
  seed: string,
  limit: number,
): Promise<CheckedInstallation[]> {
  return db.query(sampleStatement, [installerId, seed, limit])
}

const panelsStatement: Statement = {
  name: 'panels-to-check',
  text: `select id from panels where installer_id = $1 and installation_id = $2 order by id`,
}

/** Every panel that an installation ever had. */
export async function listPanelsToCheck(
  db: Db,
  installerId: string,
  installationId: string,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(panelsStatement, [installerId, installationId])
  return rows.map(({ id }) => id)
}

const lockStatement: Statement = {
  name: 'lock-checked-installation',
  text: `select id from installations where installer_id = $1 and id = $2 for no key update`,
}

/** Lets nobody write readings of the installation meanwhile. */
export async function lockCheckedInstallation(tx: Db, installerId: string, id: string): Promise<void> {
  await tx.query(lockStatement, [installerId, id])
}

const extentStatement: Statement = {
  name: 'extent-of-energy',
  text: `select min(r.first) as "firstAt", max(r.last) as "lastAt",
      (select min(day) - date '1970-01-01' from installation_days where installer_id = $1 and installation_id = $2) as "firstDay",
      (select max(day) - date '1970-01-01' from installation_days where installer_id = $1 and installation_id = $2) as "lastDay"
    from panels p cross join lateral (
      select (select min(at) from readings where installer_id = $1 and panel_id = p.id) as first,
        (select max(at) from readings where installer_id = $1 and panel_id = p.id) as last
    ) r where p.installer_id = $1 and p.installation_id = $2`,
}

export interface Extent {
  firstAt: Date | null
  lastAt: Date | null
  firstDay: Day | null
  lastDay: Day | null
}

/** From when to when an installation has readings, and days. */
export async function findExtent(db: Db, installerId: string, installationId: string): Promise<Extent> {
  const [row] = await db.query<Extent>(extentStatement, [installerId, installationId])
  return row!
}

/** A day as it is kept. */
export interface KeptDay {
  id: string
  day: Day
  microkwh: number
  readings: number
  /** Null for a panel's. */
  panels: number | null
  /** With commas between them, nothing where there is no reading. */
  hours: string
}

const keptStatement: Statement = {
  name: 'kept-days',
  text: `select panel_id as id, day - date '1970-01-01' as day, microkwh, readings, null as panels,
      array_to_string(hours, ',', '') as hours
    from panel_days where installer_id = $1 and panel_id = any($3) and day between $4 and $5
    union all
    select installation_id, day - date '1970-01-01', microkwh, readings, panels, array_to_string(hours, ',', '')
    from installation_days where installer_id = $1 and installation_id = $2 and day between $4 and $5`,
}

/** The days of an installation and its panels as they are kept. */
export function listKeptDays(
  db: Db,
  installerId: string,
  installationId: string,
  panelIds: readonly string[],
  { first, last }: DayRange,
): Promise<KeptDay[]> {
  return db.query(keptStatement, [installerId, installationId, panelIds, dayText(first), dayText(last)])
}

/** A day as the readings have it. */
export interface CountedDay {
  id: string
  day: Day
  microkwh: number
  readings: number
  panels: number | null
  hours: (number | null)[]
  lastMs: number
}

function replaceStatement(of: 'panel' | 'installation'): Statement {
  const table = `${of}_days`
  const [column, value] =
    of === 'panel' ? ['last_at', 'to_timestamp(d."lastMs" / 1000)::timestamptz(3)'] : ['panels', 'd.panels']
  return {
    name: `replace-${table}`,
    text: `insert into ${table} (installer_id, ${of}_id, day, microkwh, readings, hours, ${column})
      select $1, d.id, date '1970-01-01' + d.day, d.microkwh, d.readings, d.hours, ${value}
      from json_to_recordset($2) as d(id text, day integer, microkwh bigint, readings integer, panels integer, hours bigint[],
        "lastMs" float8)
      on conflict (installer_id, ${of}_id, day) do update set microkwh = excluded.microkwh, readings = excluded.readings,
        hours = excluded.hours, ${column} = excluded.${column}`,
  }
}
const replacePanelDays = replaceStatement('panel')
const replaceInstallationDays = replaceStatement('installation')

/** Puts days in the place of those that are kept. */
export async function replaceDays(tx: Db, installerId: string, days: readonly CountedDay[]): Promise<void> {
  const ofPanels = days.filter(({ panels }) => panels === null)
  const ofInstallations = days.filter(({ panels }) => panels !== null)
  if (ofPanels.length > 0) await tx.query(replacePanelDays, [installerId, JSON.stringify(ofPanels)])
  if (ofInstallations.length > 0)
    await tx.query(replaceInstallationDays, [installerId, JSON.stringify(ofInstallations)])
}

const markStatement: Statement = {
  name: 'mark-of-energy',
  text: `select coalesce(sum(readings), 0) || ' ' || coalesce(sum(microkwh), 0) as mark from installation_days
    where installer_id = $1 and installation_id = $2`,
}

/** What changes whenever readings of an installation come: how many there are, and what they sum up to. */
export async function markOf(db: Db, installerId: string, installationId: string): Promise<string> {
  const [row] = await db.query<{ mark: string }>(markStatement, [installerId, installationId])
  return row!.mark
}

const clearStatement: Statement = {
  name: 'clear-days',
  text: `with of_panels as (
      delete from panel_days d using panels p
      where p.installer_id = $1 and p.installation_id = $2 and d.installer_id = $1 and d.panel_id = p.id
    ), covered as (
      delete from coverage_months where installer_id = $1 and installation_id = $2
    )
    delete from installation_days where installer_id = $1 and installation_id = $2`,
}

/** Takes away the days of an installation and its panels, to be put there as another clock has them. */
export async function clearDays(tx: Db, installerId: string, installationId: string): Promise<void> {
  await tx.query(clearStatement, [installerId, installationId])
}
