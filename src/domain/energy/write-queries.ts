import type { Db, Statement } from '../../platform/db.ts'
import type { Reach } from '../context.ts'
import type { DaySum } from './day-sums.ts'
import type { Day } from './local-time.ts'
import type { Reading } from './reading.ts'

// Lists go as one array each, written here: ids hold nothing that an array's text would have to escape, and the
// driver's own writing of arrays takes longer than the insert.
const array = (values: readonly (string | number)[]) => `{${values.join(',')}}`

const findPanelsStatement: Statement = {
  name: 'find-panels-of-readings',
  text: `select coalesce(string_agg(id || ' ' || installation_id, ' '), '') as found from panels
    where installer_id = $1 and id = any($2::text[]) and ($3::text is null or company_id = $3) and deleted_at is null`,
}

/** The installations of those panels that are there for the caller. */
export async function findInstallationsOf(
  db: Db,
  { installerId, companyId }: Reach,
  panelIds: readonly string[],
): Promise<Map<string, string>> {
  const values = [installerId, array(panelIds), companyId]
  const [row] = await db.query<{ found: string }>(findPanelsStatement, values)
  const installations = new Map<string, string>()
  const words = row!.found === '' ? [] : row!.found.split(' ')
  for (let i = 0; i < words.length; i += 2) installations.set(words[i]!, words[i + 1]!)
  return installations
}

const lockInstallationsStatement: Statement = {
  name: 'lock-installations',
  text: `select id, timezone from installations where installer_id = $1 and id = any($2::text[])
    order by id for no key update`,
}

/** Holds what readings are summed into until the transaction ends; answers the time zones. */
export async function lockInstallations(
  tx: Db,
  installerId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const values = [installerId, array(ids)]
  const rows = await tx.query<{ id: string; timezone: string }>(lockInstallationsStatement, values)
  return new Map(rows.map((row) => [row.id, row.timezone]))
}

const sent = `unnest($2::text[], $3::float8[], $4::bigint[]) with ordinality as s (panel_id, ms, microkwh, ordinal)`
const at = 'to_timestamp(s.ms / 1000)::timestamptz(3)'
const sentValues = (installerId: string, readings: readonly Reading[]) => [
  installerId,
  array(readings.map(({ panelId }) => panelId)),
  array(readings.map((reading) => reading.at)),
  array(readings.map(({ microkwh }) => microkwh)),
]

const insertReadingsStatement: Statement = {
  name: 'insert-readings',
  text: `insert into readings (installer_id, panel_id, at, microkwh)
    select $1, s.panel_id, ${at}, s.microkwh from ${sent}`,
}

/** Adds readings that are not there yet; one that is, fails. */
export async function insertReadings(
  tx: Db,
  installerId: string,
  readings: readonly Reading[],
): Promise<void> {
  await tx.query(insertReadingsStatement, sentValues(installerId, readings))
}

export function isKnownReading(error: unknown): boolean {
  const { code, table } = error as { code?: string; table?: string }
  return code === '23505' && table?.startsWith('readings_') === true
}

// Looked up one by one: a join could be planned as going through all readings of the tenant.
const findReadingsStatement: Statement = {
  name: 'find-readings',
  text: `select (s.ordinal - 1)::int as index, r.microkwh from ${sent} cross join lateral (
      select microkwh from readings where installer_id = $1 and panel_id = s.panel_id and at = ${at} offset 0
    ) r`,
}

/** The values that are there for these panels and times, by their place in the list. */
export async function findReadings(
  tx: Db,
  installerId: string,
  readings: readonly Reading[],
): Promise<Map<number, number>> {
  const values = sentValues(installerId, readings)
  const rows = await tx.query<{ index: number; microkwh: number }>(findReadingsStatement, values)
  return new Map(rows.map(({ index, microkwh }) => [index, microkwh]))
}

const replaceReadingsStatement: Statement = {
  name: 'replace-readings',
  text: `${insertReadingsStatement.text}
    on conflict (installer_id, panel_id, at) do update set microkwh = excluded.microkwh`,
}

/** Gives readings that are there new values. */
export async function replaceReadings(
  tx: Db,
  installerId: string,
  readings: readonly Reading[],
): Promise<void> {
  await tx.query(replaceReadingsStatement, sentValues(installerId, readings))
}

type DayTable = 'panel_days' | 'installation_days'

const epoch = `date '1970-01-01'`

/**
 * Adds to days, and makes those that are not there. Most days of a batch get one hour of theirs (what all panels made
 * in the last hour), and an array's element is set in place three times as fast as arrays are added up. A day that was
 * made has just the readings that were sent: one that was there has more.
 */
function addDaysStatement(table: DayTable, slots: 'one' | 'many'): Statement {
  const id = table === 'panel_days' ? 'panel_id' : 'installation_id'
  const panels = table === 'installation_days'
  const hours =
    slots === 'one'
      ? {
          list: '$6::int[]',
          made: 'array_fill(null::bigint, array[s.hours - 1]) || s.microkwh',
          added: `hours[cardinality(excluded.hours)] = coalesce(d.hours[cardinality(excluded.hours)], 0) + excluded.microkwh`,
        }
      : {
          list: '$6::text[]',
          made: 's.hours::bigint[]',
          added: `hours = array(select coalesce(a + b, a, b) from unnest(d.hours, excluded.hours) as h (a, b))`,
        }
  return {
    name: `add-${table}-${slots}`,
    text: `with sent as materialized (
        select s.*, ${epoch} + s.number as day
        from unnest($2::text[], $3::int[], $4::bigint[], $5::int[], ${hours.list}${panels ? ', $7::int[]' : ''})
          as s (id, number, microkwh, readings, hours${panels ? ', panels' : ''})
      ), added as (
        insert into ${table} as d (installer_id, ${id}, day, microkwh, readings, ${panels ? 'panels, ' : ''}hours)
        select $1, s.id, s.day, s.microkwh, s.readings, ${panels ? 's.panels, ' : ''}${hours.made} from sent s
        on conflict (installer_id, ${id}, day) do update set microkwh = d.microkwh + excluded.microkwh,
          readings = d.readings + excluded.readings, ${panels ? 'panels = d.panels + excluded.panels, ' : ''}${hours.added}
        returning d.${id} as id, d.day, d.readings
      )
      select s.id, s.number as day from added a join sent s on s.id = a.id and s.day = a.day
      where a.readings = s.readings`,
  }
}

const addDays = {
  panel_days: { one: addDaysStatement('panel_days', 'one'), many: addDaysStatement('panel_days', 'many') },
  installation_days: {
    one: addDaysStatement('installation_days', 'one'),
    many: addDaysStatement('installation_days', 'many'),
  },
}

export interface MadeDay {
  id: string
  day: Day
}

/** Adds sums to panels' days; answers the days that had no readings before. */
export function addPanelDays(tx: Db, installerId: string, sums: readonly DaySum[]): Promise<MadeDay[]> {
  return addSums(tx, 'panel_days', installerId, sums)
}

/** Adds sums to installations' days, with how many panels have their first readings of the day. */
export async function addInstallationDays(
  tx: Db,
  installerId: string,
  sums: readonly (DaySum & { panels: number })[],
): Promise<void> {
  await addSums(tx, 'installation_days', installerId, sums)
}

async function addSums(
  tx: Db,
  table: DayTable,
  installerId: string,
  sums: readonly (DaySum & { panels?: number })[],
): Promise<MadeDay[]> {
  const made: MadeDay[] = []
  for (const slots of ['one', 'many'] as const) {
    const some = sums.filter((sum) => (sum.slots === 1) === (slots === 'one'))
    if (some.length === 0) continue
    const values = [
      installerId,
      array(some.map(({ id }) => id)),
      array(some.map(({ day }) => day)),
      array(some.map(({ microkwh }) => microkwh)),
      array(some.map(({ readings }) => readings)),
      array(some.map((sum) => (slots === 'one' ? sum.slot : hoursText(sum.hours)))),
    ]
    if (table === 'installation_days') values.push(array(some.map(({ panels }) => panels ?? 0)))
    made.push(...(await tx.query<MadeDay>(addDays[table][slots], values)))
  }
  return made
}

function hoursText(hours: readonly number[]): string {
  let text = ''
  for (let slot = 1; slot < hours.length; slot++) text += `${slot === 1 ? '' : ','}${hours[slot] ?? 'NULL'}`
  return `"{${text}}"`
}
