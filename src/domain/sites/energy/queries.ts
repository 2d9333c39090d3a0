import type { Db } from '../../../platform/db.ts'
import { isId } from '../../../platform/ids.ts'
import { boolean, instant, integer, row, select, text } from '../../../platform/sql/row.ts'
import { type Params, pick, raw, sql } from '../../../platform/sql/sql.ts'
import { many, maybeOne } from '../../../platform/sql/statements.ts'
import type { Scope } from '../../kernel/context.ts'
import { storedCoverage } from './coverage-queries.ts'
import type { Granularity } from './energy.ts'
import { type Day, type DayRange, dayText } from './local-time.ts'

type RecordScope = Pick<Scope, 'installerId' | 'companyId'>

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

const foundEnergy = row<FoundEnergy>({
  installationId: text,
  region: text,
  timezone: text,
  panelCount: integer,
  kept: text,
  days: integer,
  buckets: text,
})

const epoch = raw(`date '1970-01-01'`)

interface EnergyWanted extends RecordScope {
  id: string
  granularity: Granularity
  firstDay: string
  lastDay: string
}

// The record, its zone and its roll-ups by one statement: an index range, grouped where it is read.
function energyOf(of: 'panel' | 'installation', $: Params<EnergyWanted & { installationId: string | null }>) {
  const range = sql`from ${raw(`${of}_days`)} d
      where d.installer_id = ${$.installerId} and d.${raw(`${of}_id`)} = ${$.id}
        and d.day between ${$.firstDay} and ${$.lastDay}`
  const summedBy = (bucket: string) =>
    sql`select ${raw(bucket)} as bucket, sum(d.microkwh)::text as made, count(*) as days ${range} group by 1`
  const grouped = pick($.granularity, {
    hourly: sql`select d.day as bucket, array_to_string(d.hours, ',', '') as made, 1 as days ${range}`,
    daily: summedBy('d.day'),
    weekly: summedBy('d.day - (extract(isodow from d.day)::int - 1)'),
    monthly: summedBy('d.day - (extract(day from d.day)::int - 1)'),
  })
  const records =
    of === 'panel'
      ? sql`panels p join installations i on i.installer_id = ${$.installerId} and i.id = p.installation_id`
      : sql`installations i`
  const isMine =
    of === 'panel'
      ? sql`p.installer_id = ${$.installerId} and p.id = ${$.id} and p.deleted_at is null
        and (${$.companyId}::text is null or p.company_id = ${$.companyId})
        and (${$.installationId}::text is null or p.installation_id = ${$.installationId})`
      : sql`i.installer_id = ${$.installerId} and i.id = ${$.id} and i.deleted_at is null
        and (${$.companyId}::text is null or i.company_id = ${$.companyId})`
  const computed = {
    installationId: sql`i.id`,
    kept: of === 'panel' ? sql`''` : storedCoverage($),
    days: sql`coalesce(e.days, 0)::int`,
    buckets: sql`coalesce(e.buckets, '')`,
  }
  return sql`select ${select(foundEnergy, 'i', computed)}
    from ${records} cross join lateral (
      select sum(days) as days, string_agg((bucket - ${epoch}) || ':' || made, ' ' order by bucket) as buckets
      from (${grouped}) b
    ) e where ${isMine}`
}

// A year by the hour is 366 rows that hold 8,784 values: too long to be waited behind.
const energyStatements = (of: 'panel' | 'installation') => {
  const build = ($: Params<EnergyWanted & { installationId: string | null }>) => energyOf(of, $)
  return { short: maybeOne(foundEnergy, build, { shared: 'read' }), long: maybeOne(foundEnergy, build) }
}
const ofPanel = energyStatements('panel')
const ofInstallation = energyStatements('installation')

/** What a panel made; null where it is not there for the caller, or not in that installation. */
export async function findPanelEnergy(
  db: Db,
  { installerId, companyId }: RecordScope,
  id: string,
  installationId: string | null,
  granularity: Granularity,
  { first, last }: DayRange,
): Promise<FoundEnergy | null> {
  if (!isId(id, 'pnl')) return null
  const find = granularity === 'hourly' ? ofPanel.long : ofPanel.short
  const range = { firstDay: dayText(first), lastDay: dayText(last) }
  return find(db, { installerId, companyId, id, installationId, granularity, ...range })
}

/** What all panels of an installation made; null where it is not there for the caller. */
export async function findInstallationEnergy(
  db: Db,
  { installerId, companyId }: RecordScope,
  id: string,
  granularity: Granularity,
  { first, last }: DayRange,
): Promise<FoundEnergy | null> {
  if (!isId(id, 'inst')) return null
  const find = granularity === 'hourly' ? ofInstallation.long : ofInstallation.short
  const range = { firstDay: dayText(first), lastDay: dayText(last) }
  return find(db, { installerId, companyId, id, installationId: null, granularity, ...range })
}

const isMine = ($: Params<RecordScope>) => sql`i.installer_id = ${$.installerId}
      and (${$.companyId}::text is null or i.company_id = ${$.companyId})`

/** The clocks of all that a caller reaches. */
export const listAccountZones = many(
  row<{ timezone: string }>({ timezone: text }),
  ($: Params<RecordScope>) => sql`select distinct i.timezone from installations i where ${isMine($)}`,
)

/** A day of all installations of a zone together. */
export interface AccountDay {
  timezone: string
  day: Day
  /** As a whole; or by the hour, with commas between and nothing where there is no reading. */
  made: string
}

// No day has more hours.
const maxSlots = 26
const hourSums = raw(Array.from({ length: maxSlots }, (_, i) => `sum(d.hours[${i + 1}])`).join(', '))

interface AccountDaysWanted extends RecordScope {
  by: 'day' | 'hour'
  timezones: readonly string[]
  firstDay: string
  lastDay: string
}

// Hours side by side: a row for each of them took ten times as long.
const accountDays = many(
  row<AccountDay>({ timezone: text, day: integer, made: text }),
  ($: Params<AccountDaysWanted>) => sql`
    select i.timezone, d.day - ${epoch} as day,
      ${pick($.by, { day: sql`sum(d.microkwh)::text`, hour: sql`array_to_string(array[${hourSums}], ',', '')` })} as made
    from installations i join installation_days d on d.installer_id = ${$.installerId} and d.installation_id = i.id
    where ${isMine($)} and i.timezone = any(${$.timezones}::text[]) and d.day between ${$.firstDay} and ${$.lastDay}
    group by 1, 2`,
)

/** What a caller's installations of some zones made, by the days of each zone. */
export async function listAccountDays(
  db: Db,
  { installerId, companyId }: RecordScope,
  by: 'day' | 'hour',
  timezones: readonly string[],
  { first, last }: DayRange,
): Promise<AccountDay[]> {
  if (timezones.length === 0) return []
  const range = { firstDay: dayText(first), lastDay: dayText(last) }
  return accountDays(db, { installerId, companyId, by, timezones, ...range })
}

/** The same from the readings themselves, by quarters of an hour, which lie within the hours of every clock. */
export const listAccountReadings = many(
  row<{ at: number; microkwh: string }>({ at: integer, microkwh: text }),
  ($: Params<RecordScope & { timezones: readonly string[]; from: Date; until: Date }>) => sql`
    select (floor(extract(epoch from r.at) / 900) * 900000)::bigint as at, sum(r.microkwh)::text as microkwh
    from installations i join panels p on p.installer_id = ${$.installerId} and p.installation_id = i.id
      join readings r on r.installer_id = ${$.installerId} and r.panel_id = p.id
    where ${isMine($)} and i.timezone = any(${$.timezones}::text[]) and r.at >= ${$.from} and r.at < ${$.until}
    group by 1`,
)

export interface PanelToExport {
  id: string
  timezone: string
  deleted: boolean
}

interface ExportedPanels extends RecordScope {
  installationId: string | null
  panelId: string | null
  withDeleted: boolean
}

export const listPanelsToExport = many(
  row<PanelToExport>({ id: text, timezone: text, deleted: boolean }),
  ($: Params<ExportedPanels>) => sql`
    select p.id, i.timezone, p.deleted_at is not null as deleted
    from panels p join installations i on i.installer_id = ${$.installerId} and i.id = p.installation_id
    where p.installer_id = ${$.installerId} and (${$.companyId}::text is null or p.company_id = ${$.companyId})
      and (${$.installationId}::text is null or p.installation_id = ${$.installationId})
      and (${$.panelId}::text is null or p.id = ${$.panelId}) and (${$.withDeleted} or p.deleted_at is null)
    order by p.id`,
)

/** Panels of an installation in order, deleted ones too, from one of them on. */
export const listPanelIds = many(
  row<{ id: string }>({ id: text }),
  ($: Params<{ installerId: string; installationId: string; first: string; limit: number }>) => sql`
    select id from panels
    where installer_id = ${$.installerId} and installation_id = ${$.installationId} and id >= ${$.first}
    order by id limit ${$.limit}`,
)

interface ReadingsWanted {
  installerId: string
  panelId: string
  from: Date
  until: Date
  limit: number
}

/** A panel's readings in order, from an instant to before another. */
export const listReadings = many(
  row<{ at: Date; microkwh: number }>({ at: instant, microkwh: integer }),
  ($: Params<ReadingsWanted>) => sql`
    select at, microkwh from readings
    where installer_id = ${$.installerId} and panel_id = ${$.panelId} and at >= ${$.from} and at < ${$.until}
    order by at limit ${$.limit}`,
)
