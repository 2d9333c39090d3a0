import type { Db } from '../../../platform/db.ts'
import { inOrder } from '../../../platform/sql/gather.ts'
import { isExactly } from '../../../platform/sql/is-exactly.ts'
import { float, instant, integer, json, row, select, text } from '../../../platform/sql/row.ts'
import { type Fragment, type Params, raw, sql } from '../../../platform/sql/sql.ts'
import { many } from '../../../platform/sql/statements.ts'
import {
  type DayTotal,
  daysInYear,
  type Hours,
  historyDays,
  installationHourDays,
  type Made,
  type MeasuredPanel,
  panelHourDays,
  type Quarantined,
  seasonDays,
} from './measured-installation.ts'
import type { Place } from './neighbourhood.ts'

const installersAfter = many(
  row<{ id: string }>({ id: text }),
  ($: Params<{ after: string; limit: number }>) => sql`
    select t.installer_id as id from tenant_clocks t cross join lateral (
      select from installations i where i.installer_id = t.installer_id order by i.id limit 1
    ) any_of_theirs
    where t.installer_id > ${$.after} order by 1 limit ${$.limit}`,
  { across: 'whose installations are looked at', gather: inOrder('id') },
)

const installersAtOnce = 500

/** The id of every installer that has installations, one after the other. */
export async function* eachInstallerToJudge(db: Db): AsyncGenerator<string> {
  for (let after = ''; ; ) {
    const rows = await installersAfter(db, { after, limit: installersAtOnce })
    for (const { id } of rows) yield id
    if (rows.length < installersAtOnce) return
    after = rows.at(-1)!.id
  }
}

export interface InstallationRow {
  id: string
  companyId: string
  name: string
  region: string
  address: string
  timezone: string
  panelCount: number
}

const installationRow = row<InstallationRow>({
  id: text,
  companyId: text,
  name: text,
  region: text,
  address: text,
  timezone: text,
  panelCount: integer,
})

export const listInstallationsToJudge = many(
  installationRow,
  ($: Params<{ installerId: string; after: string; limit: number }>) => sql`
    select ${select(installationRow)} from installations
    where installer_id = ${$.installerId} and id > ${$.after} and deleted_at is null order by id limit ${$.limit}`,
)

// Enough to find twenty in the same postal area where there are many.
const maxPlaces = 2_000

const place = row<Place>({ id: text, region: text, address: text, timezone: text })

export const listPlaces = many(
  place,
  ($: Params<{ installerId: string; region: string }>) => sql`
    select ${select(place)} from installations
    where installer_id = ${$.installerId} and ${isExactly('region', $.region)} and deleted_at is null
    order by region, id limit ${raw(maxPlaces)}`,
)

// A day as its number since 1970: texts of dates were a third of the time.
const dayNumber = sql`d.day - date '1970-01-01'`

interface MadeRow {
  id: string
  days: number[]
  microkwh: number[]
  readings: number[]
  hours: [day: number, microkwh: (number | null)[]][]
}
const made = row<MadeRow>({ id: text, days: json, microkwh: json, readings: json, hours: json })

type PanelRow = MadeRow & Omit<PanelOfInstallation, keyof Made | keyof Quarantined>
const panelRow = row<PanelRow>({
  id: text,
  companyId: text,
  installationId: text,
  name: text,
  capacityKw: float,
  days: json,
  microkwh: json,
  readings: json,
  hours: json,
})

interface Window {
  installerId: string
  installationIds: readonly string[]
  firstDay: string
  lastDay: string
  hoursFrom: string
}

const inService = ($: Params<{ installerId: string; installationIds: readonly string[] }>) =>
  sql`p.installer_id = ${$.installerId} and p.installation_id = any(${$.installationIds}::text[])
      and p.status = 'active' and p.deleted_at is null`

const hoursOf = ($: Params<Window>) =>
  sql`coalesce(json_agg(json_build_array(${dayNumber}, d.hours)) filter (where d.day >= ${$.hoursFrom}), '[]')`

// One row a panel with its days in lists, and hours of the last few only: a row for each day, or the hours of
// all of them, took five times as long.
const listPanelsMade = many(panelRow, ($: Params<Window>) => {
  const listed = (value: Fragment) => sql`coalesce(json_agg(${value}) filter (where d.day is not null), '[]')`
  const computed = {
    capacityKw: sql`p.capacity_kw::float8`,
    days: listed(dayNumber),
    microkwh: listed(sql`d.microkwh`),
    readings: listed(sql`d.readings`),
    hours: hoursOf($),
  }
  return sql`select ${select(panelRow, 'p', computed)}
    from panels p left join panel_days d on d.installer_id = p.installer_id and d.panel_id = p.id
      and d.day between ${$.firstDay} and ${$.lastDay}
    where ${inService($)} group by p.installer_id, p.id`
})

const listQuarantinedDays = many(
  row<{ id: string; day: number; readings: number; last: Date }>({
    id: text,
    day: integer,
    readings: integer,
    last: instant,
  }),
  ($: Params<{ installerId: string; installationIds: readonly string[]; from: Date; until: Date }>) => sql`
    select p.id, q.day - date '1970-01-01' as day, q.readings, q.last from panels p
      join installations i on i.installer_id = ${$.installerId} and i.id = p.installation_id
      cross join lateral (
        select (r.at at time zone i.timezone)::date as day, count(*)::int as readings,
          date_trunc('hour', max(r.at)) + interval '1 hour' as last
        from quarantined_readings r
        where r.installer_id = ${$.installerId} and r.panel_id = p.id and r.at between ${$.from} and ${$.until} group by 1
      ) q
    where ${inService($)}`,
)

/** What panels sent in the last days and cannot have made, whatever was decided about it. */
async function loadQuarantined(
  db: Db,
  installerId: string,
  installationIds: readonly string[],
  at: Date,
): Promise<Map<string, { quarantined: Map<number, number>; quarantinedAt: Date }>> {
  const found = new Map<string, { quarantined: Map<number, number>; quarantinedAt: Date }>()
  const from = new Date(at.getTime() - installationHourDays * dayMs)
  const rows = await listQuarantinedDays(db, { installerId, installationIds, from, until: at })
  for (const { id, day, readings, last } of rows) {
    const known = found.get(id) ?? { quarantined: new Map<number, number>(), quarantinedAt: last }
    known.quarantined.set(day, readings)
    if (last > known.quarantinedAt) known.quarantinedAt = last
    found.set(id, known)
  }
  return found
}

const listInstallationsMade = many(
  made,
  ($: Params<Window & { seasonFrom: string; seasonUntil: string }>) => sql`
    select d.installation_id as id, json_agg(${dayNumber}) as days, json_agg(d.microkwh) as microkwh,
      json_agg(d.readings) as readings, ${hoursOf($)} as hours
    from installation_days d
    where d.installer_id = ${$.installerId} and d.installation_id = any(${$.installationIds}::text[])
      and (d.day between ${$.firstDay} and ${$.lastDay} or d.day between ${$.seasonFrom} and ${$.seasonUntil})
    group by d.installation_id`,
)

const microkwhInKwh = 1_000_000
const dayMs = 86_400_000

export type PanelOfInstallation = MeasuredPanel & { installationId: string }

// A day more at either end, as each installation has its own calendar.
const dayBefore = (at: Date, days: number) => new Date(at.getTime() - days * dayMs).toISOString().slice(0, 10)
const windowOf = (at: Date, hourDays: number) => ({
  firstDay: dayBefore(at, historyDays + 1),
  lastDay: dayBefore(at, -1),
  hoursFrom: dayBefore(at, hourDays),
})

/** What the panels of some installations made by a time, and what they sent that they cannot have made. */
export async function loadPanels(
  db: Db,
  installerId: string,
  installationIds: readonly string[],
  at: Date,
): Promise<PanelOfInstallation[]> {
  const [panels, aside] = await Promise.all([
    listPanelsMade(db, { installerId, installationIds, ...windowOf(at, panelHourDays) }),
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
  const installations = await listInstallationsMade(db, {
    installerId,
    installationIds,
    ...windowOf(at, installationHourDays),
    seasonFrom: dayBefore(at, daysInYear + seasonDays + 1),
    seasonUntil: dayBefore(at, daysInYear - seasonDays - 1),
  })
  return new Map(installations.map((row) => [row.id, madeOf(row)]))
}

function madeOf({ days, microkwh, readings, hours }: Omit<MadeRow, 'id'>): Made {
  const total = (i: number): DayTotal => ({ kwh: microkwh[i]! / microkwhInKwh, readings: readings[i]! })
  const inKwh = (hour: number | null) => (hour === null ? null : hour / microkwhInKwh)
  return {
    days: new Map(days.map((day, i) => [day, total(i)])),
    hours: new Map(hours.map(([day, made]): [number, Hours] => [day, made.map(inKwh)])),
  }
}

const namesByIds = many(
  row<{ id: string; name: string }>({ id: text, name: text }),
  ($: Params<{ installerId: string; ids: readonly string[] }>) => sql`
    select id, name from installations
    where installer_id = ${$.installerId} and id = any(${$.ids}::text[]) and deleted_at is null`,
)

export async function listInstallationNames(
  db: Db,
  installerId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await namesByIds(db, { installerId, ids })
  return new Map(rows.map(({ id, name }) => [id, name]))
}
