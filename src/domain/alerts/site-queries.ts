import type { Db, Statement } from '../../platform/db.ts'
import {
  type DayTotal,
  daysInYear,
  type Hours,
  historyDays,
  type Made,
  type MeasuredPanel,
  panelHourDays,
  seasonDays,
  siteHourDays,
} from './site.ts'

const installersStatement: Statement = {
  name: 'installers-after',
  text: `select id from companies where kind = 'installer' and id > $1 order by id limit $2`,
}

const installersAtOnce = 100

/** The id of every installer, one after the other. */
export async function* eachInstaller(db: Db): AsyncGenerator<string> {
  for (let after = ''; ; ) {
    const rows = await db.query<{ id: string }>(installersStatement, [after, installersAtOnce])
    for (const { id } of rows) yield id
    if (rows.length < installersAtOnce) return
    after = rows.at(-1)!.id
  }
}

export interface SiteRow {
  id: string
  companyId: string
  name: string
  timezone: string
  panelCount: number
}

const sitesStatement: Statement = {
  name: 'sites-after',
  text: `select id, company_id as "companyId", name, timezone, panel_count as "panelCount" from installations
    where installer_id = $1 and id > $2 order by id limit $3`,
}

export function listSites(db: Db, installerId: string, after: string, limit: number): Promise<SiteRow[]> {
  return db.query<SiteRow>(sitesStatement, [installerId, after, limit])
}

// A day as its number since 1970: texts of dates were a third of the time.
const dayNumber = `d.day - date '1970-01-01'`

// One row a panel with its days in lists, and hours of the last few only: a row for each day, or the hours of
// all of them, took five times as long.
const panelsStatement: Statement = {
  name: 'measured-panels',
  text: `select p.id, p.company_id as "companyId", p.installation_id as "installationId", p.name,
      p.capacity_kw::float8 as "capacityKw",
      coalesce(json_agg(${dayNumber}) filter (where d.day is not null), '[]') as days,
      coalesce(json_agg(d.microkwh) filter (where d.day is not null), '[]') as microkwh,
      coalesce(json_agg(d.readings) filter (where d.day is not null), '[]') as readings,
      coalesce(json_agg(json_build_array(${dayNumber}, d.hours)) filter (where d.day >= $5), '[]') as hours
    from panels p left join panel_days d
      on d.installer_id = p.installer_id and d.panel_id = p.id and d.day between $3 and $4
    where p.installer_id = $1 and p.installation_id = any($2) and p.status = 'active' and p.deleted_at is null
    group by p.installer_id, p.id`,
}

const installationsStatement: Statement = {
  name: 'measured-installations',
  text: `select d.installation_id as id, json_agg(${dayNumber}) as days, json_agg(d.microkwh) as microkwh,
      json_agg(d.readings) as readings,
      coalesce(json_agg(json_build_array(${dayNumber}, d.hours)) filter (where d.day >= $5), '[]') as hours
    from installation_days d
    where d.installer_id = $1 and d.installation_id = any($2)
      and (d.day between $3 and $4 or d.day between $6 and $7)
    group by d.installation_id`,
}

interface MadeRow {
  days: number[]
  microkwh: number[]
  readings: number[]
  hours: [day: number, microkwh: (number | null)[]][]
}

const microkwhInKwh = 1_000_000
const dayMs = 86_400_000

export type PanelOfSite = MeasuredPanel & { installationId: string }

/** What the panels of some installations made by a time, and what the installations did. */
export async function loadMeasured(
  db: Db,
  installerId: string,
  installationIds: readonly string[],
  at: Date,
): Promise<{ panels: PanelOfSite[]; made: Map<string, Made> }> {
  // A day more at either end, as each installation has its own calendar.
  const day = (before: number) => new Date(at.getTime() - before * dayMs).toISOString().slice(0, 10)
  const window = [day(historyDays + 1), day(-1)]
  const [panels, installations] = await Promise.all([
    db.query<MadeRow & Omit<PanelOfSite, keyof Made>>(panelsStatement, [
      installerId,
      installationIds,
      ...window,
      day(panelHourDays),
    ]),
    db.query<MadeRow & { id: string }>(installationsStatement, [
      installerId,
      installationIds,
      ...window,
      day(siteHourDays),
      day(daysInYear + seasonDays + 1),
      day(daysInYear - seasonDays - 1),
    ]),
  ])
  return {
    panels: panels.map(({ days, microkwh, readings, hours, ...panel }) => ({
      ...panel,
      ...madeOf({ days, microkwh, readings, hours }),
    })),
    made: new Map(installations.map((row) => [row.id, madeOf(row)])),
  }
}

function madeOf({ days, microkwh, readings, hours }: MadeRow): Made {
  const total = (i: number): DayTotal => ({ kwh: microkwh[i]! / microkwhInKwh, readings: readings[i]! })
  const inKwh = (hour: number | null) => (hour === null ? null : hour / microkwhInKwh)
  return {
    days: new Map(days.map((day, i) => [day, total(i)])),
    hours: new Map(hours.map(([day, made]): [number, Hours] => [day, made.map(inKwh)])),
  }
}

const namesStatement: Statement = {
  name: 'installation-names',
  text: 'select id, name from installations where installer_id = $1 and id = any($2::text[])',
}

export async function listSiteNames(
  db: Db,
  installerId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.query<{ id: string; name: string }>(namesStatement, [installerId, ids])
  return new Map(rows.map(({ id, name }) => [id, name]))
}
