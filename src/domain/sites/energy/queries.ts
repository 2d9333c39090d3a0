import type { Db, Statement } from '../../../platform/db.ts'
import { isId } from '../../../platform/ids.ts'
import type { Reach } from '../../kernel/context.ts'
import { keptCoverage } from './coverage-queries.ts'
import { type Granularity, granularities } from './energy.ts'
import { type Day, type DayRange, dayText } from './local-time.ts'

/** What was found about one panel or installation. */
export interface FoundEnergy {
  installationId: string
  region: string
  timezone: string
  panelCount: number
  /** What is kept of its coverage. */
  kept: string
  /** Days with readings. */
  days: number
  /** By bucket: its first day and what was made; hourly: the day and what was made in each hour. In order. */
  buckets: string
}

const epoch = `date '1970-01-01'`

const bucket: Record<Exclude<Granularity, 'hourly'>, string> = {
  daily: 'd.day',
  weekly: `d.day - (extract(isodow from d.day)::int - 1)`,
  monthly: `d.day - (extract(day from d.day)::int - 1)`,
}

// The record, its zone and its roll-ups by one statement: an index range, grouped where it is read.
function energyStatement(of: 'panel' | 'installation', granularity: Granularity): Statement {
  const table = `${of}_days`
  const range = `from ${table} d where d.installer_id = $1 and d.${of}_id = $2 and d.day between $4 and $5`
  const grouped =
    granularity === 'hourly'
      ? `select d.day as bucket, array_to_string(d.hours, ',', '') as made, 1 as days ${range}`
      : `select ${bucket[granularity]} as bucket, sum(d.microkwh)::text as made, count(*) as days ${range} group by 1`
  const records =
    of === 'panel'
      ? 'panels p join installations i on i.installer_id = $1 and i.id = p.installation_id'
      : 'installations i'
  const mine =
    of === 'panel'
      ? `p.installer_id = $1 and p.id = $2 and ($3::text is null or p.company_id = $3) and p.deleted_at is null
        and ($6::text is null or p.installation_id = $6)`
      : `i.installer_id = $1 and i.id = $2 and ($3::text is null or i.company_id = $3)`
  return {
    name: `energy-of-${of}-${granularity}`,
    // A year by the hour is 366 rows that hold 8,784 values: too long to be waited behind.
    ...(granularity === 'hourly' ? {} : { shared: 'read' as const }),
    text: `select i.id as "installationId", i.region, i.timezone, i.panel_count as "panelCount",
        ${of === 'panel' ? "''" : keptCoverage} as kept, coalesce(e.days, 0)::int as days, coalesce(e.buckets, '') as buckets
      from ${records} cross join lateral (
        select sum(days) as days,
          string_agg((bucket - ${epoch}) || ':' || made, ' ' order by bucket) as buckets
        from (${grouped}) b
      ) e where ${mine}`,
  }
}

const statements = (of: 'panel' | 'installation') =>
  Object.fromEntries(granularities.map((name) => [name, energyStatement(of, name)])) as Record<
    Granularity,
    Statement
  >
const ofPanel = statements('panel')
const ofInstallation = statements('installation')

/** What a panel made; null where it is not there for the caller, or not in that installation. */
export async function findPanelEnergy(
  db: Db,
  { installerId, companyId }: Reach,
  panelId: string,
  installationId: string | null,
  granularity: Granularity,
  { first, last }: DayRange,
): Promise<FoundEnergy | null> {
  if (!isId(panelId, 'pnl')) return null
  const values = [installerId, panelId, companyId, dayText(first), dayText(last), installationId]
  const [row] = await db.query<FoundEnergy>(ofPanel[granularity], values)
  return row ?? null
}

/** What all panels of an installation made; null where it is not there for the caller. */
export async function findInstallationEnergy(
  db: Db,
  { installerId, companyId }: Reach,
  id: string,
  granularity: Granularity,
  { first, last }: DayRange,
): Promise<FoundEnergy | null> {
  if (!isId(id, 'inst')) return null
  const values = [installerId, id, companyId, dayText(first), dayText(last)]
  const [row] = await db.query<FoundEnergy>(ofInstallation[granularity], values)
  return row ?? null
}

const mine = `i.installer_id = $1 and ($2::text is null or i.company_id = $2)`

const accountStatement: Statement = {
  name: 'energy-of-account',
  text: `select distinct i.timezone from installations i
    where i.installer_id = $1 and ($2::text is null or i.company_id = $2)`,
}

/** The clocks of all that a caller reaches. */
export async function listAccountZones(db: Db, { installerId, companyId }: Reach): Promise<string[]> {
  const rows = await db.query<{ timezone: string }>(accountStatement, [installerId, companyId])
  return rows.map(({ timezone }) => timezone)
}

/** A day of all installations of a zone together. */
export interface AccountDay {
  timezone: string
  day: Day
  /** As a whole; or by the hour, with commas between and nothing where there is no reading. */
  made: string
}

// No day has more hours.
const mostSlots = 26
const hourSums = Array.from({ length: mostSlots }, (_, i) => `sum(d.hours[${i + 1}])`)

// Hours side by side: a row for each of them took ten times as long.
function accountDaysStatement(by: 'day' | 'hour'): Statement {
  const made =
    by === 'day' ? 'sum(d.microkwh)::text' : `array_to_string(array[${hourSums.join(', ')}], ',', '')`
  return {
    name: `energy-of-account-by-${by}`,
    text: `select i.timezone, d.day - ${epoch} as day, ${made} as made
      from installations i join installation_days d on d.installer_id = $1 and d.installation_id = i.id
      where ${mine} and i.timezone = any($3) and d.day between $4 and $5 group by 1, 2`,
  }
}
const accountDays = { day: accountDaysStatement('day'), hour: accountDaysStatement('hour') }

/** What a caller's installations of some zones made, by the days of each zone. */
export async function listAccountDays(
  db: Db,
  { installerId, companyId }: Reach,
  by: 'day' | 'hour',
  timezones: readonly string[],
  { first, last }: DayRange,
): Promise<AccountDay[]> {
  if (timezones.length === 0) return []
  const values = [installerId, companyId, timezones, dayText(first), dayText(last)]
  return db.query<AccountDay>(accountDays[by], values)
}

const accountReadingsStatement: Statement = {
  name: 'energy-of-account-readings',
  text: `select (floor(extract(epoch from r.at) / 900) * 900000)::bigint as at, sum(r.microkwh)::text as microkwh
    from installations i join panels p on p.installer_id = $1 and p.installation_id = i.id
    join readings r on r.installer_id = $1 and r.panel_id = p.id
    where ${mine} and i.timezone = any($3) and r.at >= $4 and r.at < $5 group by 1`,
}

/** The same from the readings themselves, by quarters of an hour, which lie within the hours of every clock. */
export function listAccountReadings(
  db: Db,
  { installerId, companyId }: Reach,
  timezones: readonly string[],
  from: Date,
  until: Date,
): Promise<{ at: number; microkwh: string }[]> {
  return db.query(accountReadingsStatement, [installerId, companyId, timezones, from, until])
}

const panelsToExport: Statement = {
  name: 'panels-to-export',
  text: `select p.id, i.timezone, p.deleted_at is not null as deleted from panels p join installations i on i.installer_id = $1 and i.id = p.installation_id
    where p.installer_id = $1 and ($2::text is null or p.company_id = $2) and ($3::text is null or p.installation_id = $3)
      and ($4::text is null or p.id = $4) and ($5 or p.deleted_at is null)
    order by p.id`,
}

export interface PanelToExport {
  id: string
  timezone: string
  deleted: boolean
}

export function listPanelsToExport(
  db: Db,
  { installerId, companyId }: Reach,
  installationId: string | null,
  panelId: string | null,
  withDeleted: boolean,
): Promise<PanelToExport[]> {
  return db.query(panelsToExport, [installerId, companyId, installationId, panelId, withDeleted])
}

const listReadingsStatement: Statement = {
  name: 'list-readings',
  text: `select at, microkwh from readings
    where installer_id = $1 and panel_id = $2 and at >= $3 and at < $4 order by at limit $5`,
}

/** A panel's readings in order, from an instant to before another. */
export function listReadings(
  db: Db,
  installerId: string,
  panelId: string,
  from: Date,
  until: Date,
  limit: number,
): Promise<{ at: Date; microkwh: number }[]> {
  return db.query(listReadingsStatement, [installerId, panelId, from, until, limit])
}
