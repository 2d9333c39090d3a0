import type { Db, Statement } from '../../../platform/db.ts'
import type { Place } from './neighbourhood.ts'
import {
  type DayTotal,
  daysInYear,
  type Hours,
  historyDays,
  type Made,
  type MeasuredPanel,
  panelHourDays,
  type Quarantined,
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
  region: string
  address: string
  timezone: string
  panelCount: number
}

const sitesStatement: Statement = {
  name: 'sites-after',
  text: `select id, company_id as "companyId", name, region, address, timezone, panel_count as "panelCount"
    from installations where installer_id = $1 and id > $2 order by id limit $3`,
}

export function listSites(db: Db, installerId: string, after: string, limit: number): Promise<SiteRow[]> {
  return db.query<SiteRow>(sitesStatement, [installerId, after, limit])
}

// Enough to find twenty in the same postal area where there are many.
const mostPlaces = 2_000

const placesStatement: Statement = {
  name: 'places-of-region',
  text: `select id, region, address, timezone from installations where installer_id = $1 and region = $2
    order by id limit $3`,
}

export function listPlaces(db: Db, installerId: string, region: string): Promise<Place[]> {
  return db.query<Place>(placesStatement, [installerId, region, mostPlaces])
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

const quarantinedStatement: Statement = {
  name: 'quarantined-of-panels',
  text: `select p.id, q.day - date '1970-01-01' as day, q.readings, q.last from panels p
      join installations i on i.installer_id = $1 and i.id = p.installation_id
      cross join lateral (
        select (r.at at time zone i.timezone)::date as day, count(*)::int as readings,
          date_trunc('hour', max(r.at)) + interval '1 hour' as last
        from quarantined_readings r where r.installer_id = $1 and r.panel_id = p.id and r.at between $3 and $4 group by 1
      ) q
    where p.installer_id = $1 and p.installation_id = any($2) and p.status = 'active' and p.deleted_at is null`,
}

/** What panels sent in the last days and cannot have made, whatever was decided about it. */
async function loadQuarantined(
  db: Db,
  installerId: string,
  installationIds: readonly string[],
  at: Date,
): Promise<Map<string, { quarantined: Map<number, number>; quarantinedAt: Date }>> {
  const found = new Map<string, { quarantined: Map<number, number>; quarantinedAt: Date }>()
  const rows = await db.query<{ id: string; day: number; readings: number; last: Date }>(
    quarantinedStatement,
    [installerId, installationIds, new Date(at.getTime() - siteHourDays * dayMs), at],
  )
  for (const { id, day, readings, last } of rows) {
    const known = found.get(id) ?? { quarantined: new Map<number, number>(), quarantinedAt: last }
    known.quarantined.set(day, readings)
    if (last > known.quarantinedAt) known.quarantinedAt = last
    found.set(id, known)
  }
  return found
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

// A day more at either end, as each installation has its own calendar.
const dayBefore = (at: Date, days: number) => new Date(at.getTime() - days * dayMs).toISOString().slice(0, 10)
const windowOf = (at: Date) => [dayBefore(at, historyDays + 1), dayBefore(at, -1)]

/** What the panels of some installations made by a time, and what they sent that they cannot have made. */
export async function loadPanels(
  db: Db,
  installerId: string,
  installationIds: readonly string[],
  at: Date,
): Promise<PanelOfSite[]> {
  const [panels, aside] = await Promise.all([
    db.query<MadeRow & Omit<PanelOfSite, keyof Made | keyof Quarantined>>(panelsStatement, [
      installerId,
      installationIds,
      ...windowOf(at),
      dayBefore(at, panelHourDays),
    ]),
    loadQuarantined(db, installerId, installationIds, at),
  ])
  return panels.map(({ days, microkwh, readings, hours, ...panel }) => ({
    ...panel,
    ...madeOf({ days, microkwh, readings, hours }),
    ...(aside.get(panel.id) ?? { quarantined: new Map(), quarantinedAt: null }),
  }))
}

/** What whole installations made by a time. */
export async function loadMade(
  db: Db,
  installerId: string,
  installationIds: readonly string[],
  at: Date,
): Promise<Map<string, Made>> {
  if (installationIds.length === 0) return new Map()
  const installations = await db.query<MadeRow & { id: string }>(installationsStatement, [
    installerId,
    installationIds,
    ...windowOf(at),
    dayBefore(at, siteHourDays),
    dayBefore(at, daysInYear + seasonDays + 1),
    dayBefore(at, daysInYear - seasonDays - 1),
  ])
  return new Map(installations.map((row) => [row.id, madeOf(row)]))
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
