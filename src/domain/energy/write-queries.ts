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
/** Whether the sums are of one hour of their day each, or of several. */
type Slots = 'one' | 'many'

/**
 * Adds to days that are there, and answers how many were. Most days of a batch get one hour of theirs (what all panels
 * made in the last hour), and an array's element is set in place three times as fast as arrays are added up.
 */
function addStatement(table: DayTable, slots: Slots): Statement {
  const { id, sent, panels } = shapeOf(table, slots)
  const hours =
    slots === 'one'
      ? 'hours[s.hours] = coalesce(d.hours[s.hours], 0) + s.microkwh'
      : 'hours = array(select coalesce(a + b, a, b) from unnest(d.hours, s.hours::bigint[]) as h (a, b))'
  return {
    name: `add-to-${table}-${slots}`,
    text: `with added as (
        update ${table} d set microkwh = d.microkwh + s.microkwh, readings = d.readings + s.readings,
          ${panels ? 'panels = d.panels + s.panels, ' : ''}${hours}
        from ${sent} where d.installer_id = $1 and d.${id} = s.id and d.day = ${day} returning 1
      )
      select count(*)::int as added from added`,
  }
}

/**
 * Makes the days that are not there, and answers which. Nobody else makes the same day meanwhile, as the installation is
 * held; ON CONFLICT would lock each row beforehand.
 */
function makeStatement(table: DayTable, slots: Slots): Statement {
  const { id, sent, panels } = shapeOf(table, slots)
  const hours =
    slots === 'one' ? 'array_fill(null::bigint, array[s.hours - 1]) || s.microkwh' : 's.hours::bigint[]'
  return {
    name: `make-${table}-${slots}`,
    text: `with missing as materialized (
        select s.* from ${sent} where not exists (
          select from ${table} where installer_id = $1 and ${id} = s.id and day = ${day} offset 0)
      ), made as (
        insert into ${table} (installer_id, ${id}, day, microkwh, readings, hours${panels ? ', panels' : ''})
        select $1, s.id, ${day}, s.microkwh, s.readings, ${hours}${panels ? ', s.panels' : ''} from missing s
      )
      select place::int from missing`,
  }
}

const day = `(date '1970-01-01' + s.number)`

function shapeOf(table: DayTable, slots: Slots) {
  const panels = table === 'installation_days'
  return {
    panels,
    id: panels ? 'installation_id' : 'panel_id',
    sent: `unnest($2::text[], $3::int[], $4::bigint[], $5::int[], $6::${slots === 'one' ? 'int' : 'text'}[]${panels ? ', $7::int[]' : ''})
      with ordinality as s (id, number, microkwh, readings, hours${panels ? ', panels' : ''}, place)`,
  }
}

const statementsOf = (table: DayTable, slots: Slots) => ({
  add: addStatement(table, slots),
  make: makeStatement(table, slots),
})
const dayStatements = {
  panel_days: { one: statementsOf('panel_days', 'one'), many: statementsOf('panel_days', 'many') },
  installation_days: {
    one: statementsOf('installation_days', 'one'),
    many: statementsOf('installation_days', 'many'),
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
    const { add, make } = dayStatements[table][slots]
    const [row] = await tx.query<{ added: number }>(add, values)
    if (row!.added === some.length) continue
    for (const { place } of await tx.query<{ place: number }>(make, values)) made.push(some[place - 1]!)
  }
  return made
}

function hoursText(hours: readonly number[]): string {
  let text = ''
  for (let slot = 1; slot < hours.length; slot++) text += `${slot === 1 ? '' : ','}${hours[slot] ?? 'NULL'}`
  return `"{${text}}"`
}
