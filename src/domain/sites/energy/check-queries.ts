import type { Db } from '../../../platform/db.ts'
import { instant, integer, row, text } from '../../../platform/sql/row.ts'
import { type Params, raw, sql } from '../../../platform/sql/sql.ts'
import { many, one, run } from '../../../platform/sql/statements.ts'
import type { Day } from './local-time.ts'
import { msAt } from './reading-queries.ts'

interface InstallationKey {
  installerId: string
  installationId: string
}

export interface CheckedInstallation {
  id: string
  timezone: string
}

const checked = row<CheckedInstallation>({ id: text, timezone: text })

/** A tenant's installations in order, those after one. */
export const listInstallationsToCheck = many(
  checked,
  ($: Params<{ installerId: string; after: string; limit: number }>) => sql`
    select id, timezone from installations where installer_id = ${$.installerId} and id > ${$.after}
    order by id limit ${$.limit}`,
)

/** Some of a tenant's installations, others for another seed. */
export const sampleInstallations = many(
  checked,
  ($: Params<{ installerId: string; seed: string; limit: number }>) => sql`
    select id, timezone from installations where installer_id = ${$.installerId}
    order by md5(id || ${$.seed}) limit ${$.limit}`,
)

const panelsOf = many(
  row<{ id: string }>({ id: text }),
  ($: Params<InstallationKey>) => sql`
    select id from panels where installer_id = ${$.installerId} and installation_id = ${$.installationId} order by id`,
)

/** Every panel that an installation ever had. */
export async function listPanelsToCheck(db: Db, of: InstallationKey): Promise<string[]> {
  return (await panelsOf(db, of)).map(({ id }) => id)
}

/** Lets nobody write readings of the installation meanwhile. */
export const lockCheckedInstallation = run(
  ($: Params<InstallationKey>) => sql`
    select id from installations where installer_id = ${$.installerId} and id = ${$.installationId} for no key update`,
)

const epoch = raw(`date '1970-01-01'`)

export interface Extent {
  firstAt: Date | null
  lastAt: Date | null
  firstDay: Day | null
  lastDay: Day | null
}

/** From when to when an installation has readings, and days. */
export const findExtent = one(
  row<Extent>({ firstAt: instant, lastAt: instant, firstDay: integer, lastDay: integer }),
  ($: Params<InstallationKey>) => {
    const days = sql`installation_days
      where installer_id = ${$.installerId} and installation_id = ${$.installationId}`
    const readings = sql`readings where installer_id = ${$.installerId} and panel_id = p.id`
    return sql`select min(r.first) as "firstAt", max(r.last) as "lastAt",
        (select min(day) - ${epoch} from ${days}) as "firstDay", (select max(day) - ${epoch} from ${days}) as "lastDay"
      from panels p cross join lateral (
        select (select min(at) from ${readings}) as first, (select max(at) from ${readings}) as last
      ) r where p.installer_id = ${$.installerId} and p.installation_id = ${$.installationId}`
  },
)

/** A day as it is kept. */
export interface StoredDay {
  id: string
  day: Day
  microkwh: number
  readings: number
  /** Null for a panel's. */
  panels: number | null
  /** With commas between them, nothing where there is no reading. */
  hours: string
}

interface DaysWanted extends InstallationKey {
  panelIds: readonly string[]
  firstDay: string
  lastDay: string
}

/** The days of an installation and its panels as they are kept. */
export const listKeptDays = many(
  row<StoredDay>({
    id: text,
    day: integer,
    microkwh: integer,
    readings: integer,
    panels: integer,
    hours: text,
  }),
  ($: Params<DaysWanted>) => sql`
    select panel_id as id, day - ${epoch} as day, microkwh, readings, null as panels,
      array_to_string(hours, ',', '') as hours
    from panel_days where installer_id = ${$.installerId} and panel_id = any(${$.panelIds}::text[])
      and day between ${$.firstDay} and ${$.lastDay}
    union all
    select installation_id, day - ${epoch}, microkwh, readings, panels, array_to_string(hours, ',', '')
    from installation_days where installer_id = ${$.installerId} and installation_id = ${$.installationId}
      and day between ${$.firstDay} and ${$.lastDay}`,
)

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

const replaceDaysOf = (of: 'panel' | 'installation') =>
  run(($: Params<{ installerId: string; days: string }>) => {
    const [table, id] = [raw(`${of}_days`), raw(`${of}_id`)]
    const [column, value] =
      of === 'panel' ? [raw('last_at'), msAt('d."lastMs"')] : [raw('panels'), raw('d.panels')]
    return sql`insert into ${table} (installer_id, ${id}, day, microkwh, readings, hours, ${column})
      select ${$.installerId}, d.id, ${epoch} + d.day, d.microkwh, d.readings, d.hours, ${value}
      from json_to_recordset(${$.days}) as d(id text, day integer, microkwh bigint, readings integer, panels integer,
        hours bigint[], "lastMs" float8)
      on conflict (installer_id, ${id}, day) do update set microkwh = excluded.microkwh, readings = excluded.readings,
        hours = excluded.hours, ${column} = excluded.${column}`
  })
const replacePanelDays = replaceDaysOf('panel')
const replaceInstallationDays = replaceDaysOf('installation')

/** Puts days in the place of those that are kept. */
export async function replaceDays(tx: Db, installerId: string, days: readonly CountedDay[]): Promise<void> {
  const ofPanels = days.filter(({ panels }) => panels === null)
  const ofInstallations = days.filter(({ panels }) => panels !== null)
  if (ofPanels.length > 0) await replacePanelDays(tx, { installerId, days: JSON.stringify(ofPanels) })
  if (ofInstallations.length > 0)
    await replaceInstallationDays(tx, { installerId, days: JSON.stringify(ofInstallations) })
}

/** What changes whenever readings of an installation come: how many there are, and what they sum up to. */
export const findMark = one(
  row<{ mark: string }>({ mark: text }),
  ($: Params<InstallationKey>) => sql`
    select coalesce(sum(readings), 0) || ' ' || coalesce(sum(microkwh), 0) as mark from installation_days
    where installer_id = ${$.installerId} and installation_id = ${$.installationId}`,
)

/** Takes away the days of an installation and its panels, to be put there as another clock has them. */
export const clearDays = run(
  ($: Params<InstallationKey>) => sql`with of_panels as (
      delete from panel_days d using panels p
      where p.installer_id = ${$.installerId} and p.installation_id = ${$.installationId}
        and d.installer_id = ${$.installerId} and d.panel_id = p.id
    ), covered as (
      delete from coverage_months where installer_id = ${$.installerId} and installation_id = ${$.installationId}
    )
    delete from installation_days where installer_id = ${$.installerId} and installation_id = ${$.installationId}`,
)
