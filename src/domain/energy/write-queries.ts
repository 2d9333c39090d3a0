import type { Db, Statement } from '../../platform/db.ts'
import type { Reach } from '../context.ts'
import type { Panel, Readings } from './batch.ts'
import type { DaySum } from './day-sums.ts'

// Lists go as one array each, written here: ids hold nothing that an array's text would have to escape, and the
// driver's own writing of arrays takes longer than the insert. Joined, as a text put together with + is copied among
// the objects that live long when it is sent.
const array = (values: readonly (string | number)[]) => ['{', values.join(','), '}'].join('')

const findPanelsStatement: Statement = {
  name: 'find-panels-of-readings',
  text: `select coalesce(string_agg(id || ' ' || installation_id, ' ' order by id collate "C"), '') as found from panels
    where installer_id = $1 and id = any($2::text[]) and ($3::text is null or company_id = $3) and deleted_at is null`,
}

/** Those of the panels that are there for the caller, in order. */
export async function findPanels(
  db: Db,
  { installerId, companyId }: Reach,
  panelIds: readonly string[],
): Promise<Panel[]> {
  if (panelIds.length === 0) return []
  const [row] = await db.query<{ found: string }>(findPanelsStatement, [
    installerId,
    array(panelIds),
    companyId,
  ])
  const words = row!.found === '' ? [] : row!.found.split(' ')
  const panels: Panel[] = []
  for (let i = 0; i < words.length; i += 2) {
    const before = panels.at(-1)?.installationId
    // One text for all panels of an installation.
    panels.push({ id: words[i]!, installationId: before === words[i + 1] ? before! : words[i + 1]! })
  }
  return panels
}

const lockInstallationsStatement: Statement = {
  name: 'lock-installations',
  text: `select id, timezone from installations where installer_id = $1 and id = any($2::text[])
    order by id for no key update`,
}

export interface LockedInstallation {
  id: string
  timezone: string
}

/** Holds what readings are summed into until the transaction ends. */
export function lockInstallations(
  tx: Db,
  installerId: string,
  ids: readonly string[],
): Promise<LockedInstallation[]> {
  return tx.query<LockedInstallation>(lockInstallationsStatement, [installerId, array(ids)])
}

const sent = `unnest($2::text[], $3::float8[], $4::bigint[]) with ordinality as s (panel_id, ms, microkwh, ordinal)`
const sentAt = 'to_timestamp(s.ms / 1000)::timestamptz(3)'
const sentValues = (installerId: string, { panelIds, at, microkwh }: Readings) => [
  installerId,
  array(panelIds),
  array(at),
  array(microkwh),
]

const insertReadingsStatement: Statement = {
  name: 'insert-readings',
  text: `insert into readings (installer_id, panel_id, at, microkwh)
    select $1, s.panel_id, ${sentAt}, s.microkwh from ${sent}`,
}

/** Adds readings that are not there yet; one that is, fails. */
export async function insertReadings(tx: Db, installerId: string, readings: Readings): Promise<void> {
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
      select microkwh from readings where installer_id = $1 and panel_id = s.panel_id and at = ${sentAt} offset 0
    ) r`,
}

/** The values that are there for these panels and times, by their place in the list. */
export async function findReadings(
  tx: Db,
  installerId: string,
  readings: Readings,
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
export async function replaceReadings(tx: Db, installerId: string, readings: Readings): Promise<void> {
  await tx.query(replaceReadingsStatement, sentValues(installerId, readings))
}

type DayTable = 'panel_days' | 'installation_days'

const epoch = `date '1970-01-01'`

/**
 * Adds to days that are there, and makes the others; answers these. Most days of a batch get one hour of theirs (what
 * all panels made in the last hour), and an array's element is set in place three times as fast as arrays are added up.
 * Nobody else makes the same day meanwhile, as the installation is held; ON CONFLICT would lock each row beforehand.
 */
function addDaysStatement(table: DayTable, slots: 'one' | 'many'): Statement {
  const id = table === 'panel_days' ? 'panel_id' : 'installation_id'
  const panels =
    table === 'installation_days' ? { list: ', $7::int[]', name: ', panels', value: ', s.panels' } : null
  const hours =
    slots === 'one'
      ? {
          list: '$6::int[]',
          made: 'array_fill(null::bigint, array[s.hours - 1]) || s.microkwh',
          added: 'hours[s.hours] = coalesce(d.hours[s.hours], 0) + s.microkwh',
        }
      : {
          list: '$6::text[]',
          made: 's.hours::bigint[]',
          added: `hours = array(select coalesce(a + b, a, b) from unnest(d.hours, s.hours::bigint[]) as h (a, b))`,
        }
  return {
    name: `add-${table}-${slots}`,
    text: `with sent as materialized (
        select s.*, ${epoch} + s.number as day
        from unnest($2::text[], $3::int[], $4::bigint[], $5::int[], ${hours.list}${panels?.list ?? ''})
          with ordinality as s (id, number, microkwh, readings, hours${panels?.name ?? ''}, place)
      ), added as (
        update ${table} d set microkwh = d.microkwh + s.microkwh, readings = d.readings + s.readings,
          ${panels ? 'panels = d.panels + s.panels, ' : ''}${hours.added}
        from sent s where d.installer_id = $1 and d.${id} = s.id and d.day = s.day
        returning s.place
      ), made as (
        insert into ${table} (installer_id, ${id}, day, microkwh, readings, hours${panels?.name ?? ''})
        select $1, s.id, s.day, s.microkwh, s.readings, ${hours.made}${panels?.value ?? ''} from sent s
        where s.place not in (select place from added)
      )
      select place::int from sent where place not in (select place from added)`,
  }
}

const addDays = {
  panel_days: { one: addDaysStatement('panel_days', 'one'), many: addDaysStatement('panel_days', 'many') },
  installation_days: {
    one: addDaysStatement('installation_days', 'one'),
    many: addDaysStatement('installation_days', 'many'),
  },
}

/** Adds sums to panels' days; answers those whose days had no readings before. */
export function addPanelDays(
  tx: Db,
  installerId: string,
  panels: readonly { id: string }[],
  sums: readonly DaySum[],
): Promise<DaySum[]> {
  return addSums(tx, 'panel_days', installerId, panels, sums)
}

/** Adds sums to installations' days. */
export async function addInstallationDays(
  tx: Db,
  installerId: string,
  installations: readonly { id: string }[],
  sums: readonly DaySum[],
): Promise<void> {
  await addSums(tx, 'installation_days', installerId, installations, sums)
}

async function addSums(
  tx: Db,
  table: DayTable,
  installerId: string,
  owners: readonly { id: string }[],
  sums: readonly DaySum[],
): Promise<DaySum[]> {
  const made: DaySum[] = []
  for (const slots of ['one', 'many'] as const) {
    const some = sums.filter((sum) => (sum.hours === null) === (slots === 'one'))
    if (some.length === 0) continue
    const values = [
      installerId,
      array(some.map(({ of }) => owners[of]!.id)),
      array(some.map(({ day }) => day)),
      array(some.map(({ microkwh }) => microkwh)),
      array(some.map(({ readings }) => readings)),
      array(some.map((sum) => (sum.hours === null ? sum.slot : hoursText(sum.hours)))),
    ]
    if (table === 'installation_days') values.push(array(some.map(({ panels }) => panels)))
    const rows = await tx.query<{ place: number }>(addDays[table][slots], values)
    for (const { place } of rows) made.push(some[place - 1]!)
  }
  return made
}

function hoursText(hours: readonly number[]): string {
  let text = ''
  for (let slot = 1; slot < hours.length; slot++) text += `${slot === 1 ? '' : ','}${hours[slot] ?? 'NULL'}`
  return `"{${text}}"`
}
